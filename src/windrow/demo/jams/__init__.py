"""The part of the demo of joins that is about road sensors: jams."""
