"""File formats for ``FileSink.for_bulk_format``, in PyFlink's module layout."""
