"""The part of the demo of joins that is about flights: results that are corrected."""
