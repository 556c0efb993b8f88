SELECT `key`, SUM(amount) AS total
FROM TABLE(TUMBLE(TABLE events, DESCRIPTOR(ts), INTERVAL '60' SECOND))
GROUP BY window_start, window_end, `key`
