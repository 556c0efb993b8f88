"""Shows jobs to a person: as a page, as its JSON, as progress on a terminal."""
