"""Commands that show jobs: ``windrow run``, ``explain``, ``top`` and ``history``."""
