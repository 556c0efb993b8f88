"""What ``CREATE TABLE ... WITH ('connector' = '...')`` reads from and writes to."""
