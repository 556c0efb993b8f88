"""What the demo of joins shows of road sensors: jams."""
