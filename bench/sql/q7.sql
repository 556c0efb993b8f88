SELECT b.auction, b.bidder, b.price, b.ts
FROM (
  SELECT * FROM TABLE(TUMBLE(TABLE bid, DESCRIPTOR(ts), INTERVAL '10' SECOND))
) AS b
JOIN (
  SELECT MAX(price) AS highest, window_start, window_end
  FROM TABLE(TUMBLE(TABLE bid, DESCRIPTOR(ts), INTERVAL '10' SECOND))
  GROUP BY window_start, window_end
) AS top
ON b.window_start = top.window_start AND b.window_end = top.window_end AND b.price = top.highest
