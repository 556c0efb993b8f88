"""What the demo of windows shows."""
