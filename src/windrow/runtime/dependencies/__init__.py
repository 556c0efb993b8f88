"""What functions need besides their own code: files and packages that they import, archives that they read."""
