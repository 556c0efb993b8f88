"""Replays cases lifted from Flink's own operator tests: what ``windrow conformance`` does.

A case is a JSON object with an ``id``, an ``operator`` and ``steps``; ``operator.kind`` says which module plays it.
"""
