SELECT bidder, COUNT(*) AS num, window_start, window_end
FROM TABLE(TUMBLE(TABLE bid_by_clock, DESCRIPTOR(proc), INTERVAL '10' SECOND))
GROUP BY bidder, window_start, window_end
