"""PyFlink's own tests on Windrow: which apply, how imports change, what stands in for PyFlink's machinery."""
