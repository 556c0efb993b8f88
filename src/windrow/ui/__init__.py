"""What a person sees of jobs: a page, its JSON, progress on a terminal."""
