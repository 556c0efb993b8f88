CREATE TEMPORARY TABLE events (
  `key` BIGINT,
  amount BIGINT,
  ts TIMESTAMP_LTZ(3) METADATA FROM 'timestamp' VIRTUAL,
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH (
  'connector' = 'kafka',
  'topic' = '{topic}',
  'properties.bootstrap.servers' = '{servers}',
  'scan.startup.mode' = 'earliest-offset',
  'scan.bounded.mode' = 'latest-offset',
  'format' = 'json'
);

CREATE TEMPORARY TABLE dropped (`key` BIGINT, total BIGINT) WITH ('connector' = 'blackhole')
