"""Expressions of SQL with known types, evaluated on columns of Arrow by Flink's rules."""
