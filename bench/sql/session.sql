SELECT `key`, SUM(amount) AS total
FROM TABLE(SESSION(TABLE events PARTITION BY `key`, DESCRIPTOR(ts), INTERVAL '5' SECOND))
GROUP BY window_start, window_end, `key`
