"""Queries of Nexmark, an auction's stream of events: https://github.com/nexmark/nexmark has the specification."""
