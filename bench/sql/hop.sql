SELECT `key`, SUM(amount) AS total
FROM TABLE(HOP(TABLE events, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '60' SECOND))
GROUP BY window_start, window_end, `key`
