"""The connectors of ``CREATE TABLE ... WITH ('connector' = '...')``, which read and write tables."""
