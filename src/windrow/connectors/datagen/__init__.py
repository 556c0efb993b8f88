"""A source that makes its elements: for tests, demonstrations and measurements."""
