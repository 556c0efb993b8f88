-- Speeds of a road sensor, in windows: windrow sql -f examples/road_sensors.sql, in the folder of the project.

SET 'windrow.runtime' = 'local';

-- The first line of the file holds names: its time is none, so it gets one long before all others.
CREATE TEMPORARY TABLE readings (
  measured STRING,
  speed DOUBLE,
  ts AS COALESCE(TO_TIMESTAMP(measured), TIMESTAMP '2015-01-01 00:00:00.000'),
  WATERMARK FOR ts AS ts - INTERVAL '1' HOUR
) WITH (
  'connector' = 'filesystem',
  'path' = 'src/windrow/demo/data/traffic/speed_7578.csv',
  'format' = 'csv',
  'csv.ignore-parse-errors' = 'true'
);

CREATE TEMPORARY VIEW speeds AS SELECT ts, speed FROM readings WHERE speed IS NOT NULL;

-- How fast was it, six hours at a time, every three hours?
SELECT window_start, window_end, COUNT(*) AS n, ROUND(AVG(speed), 1) AS mean, MIN(speed) AS lowest
FROM TABLE(HOP(TABLE speeds, DESCRIPTOR(ts), INTERVAL '3' HOURS, INTERVAL '6' HOURS))
GROUP BY window_start, window_end
HAVING MIN(speed) < 30;

-- The two slowest readings of each day.
SELECT CAST(window_start AS DATE) AS on_day, place, ts, speed
FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY speed) AS place
  FROM TABLE(TUMBLE(TABLE speeds, DESCRIPTOR(ts), INTERVAL '1' DAY))
)
WHERE place <= 2;

-- When did the sensor speak without a pause of an hour?
SELECT window_start, window_end, COUNT(*) AS n
FROM TABLE(SESSION(TABLE speeds, DESCRIPTOR(ts), INTERVAL '1' HOUR))
GROUP BY window_start, window_end
HAVING COUNT(*) > 40;
