"""What the demo of joins shows of flights: results that are corrected."""
