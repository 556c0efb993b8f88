"""What takes the place of PyFlink's test machinery, which is made of Java objects."""
