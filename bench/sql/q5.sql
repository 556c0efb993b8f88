WITH counted AS (
  SELECT auction, COUNT(*) AS num, window_start, window_end
  FROM TABLE(HOP(TABLE bid, DESCRIPTOR(ts), INTERVAL '2' SECOND, INTERVAL '10' SECOND))
  GROUP BY auction, window_start, window_end
)
SELECT item.auction, item.num, item.window_end
FROM counted AS item
JOIN (
  SELECT MAX(num) AS most, window_start, window_end FROM counted GROUP BY window_start, window_end
) AS hottest
ON item.window_start = hottest.window_start AND item.window_end = hottest.window_end AND item.num >= hottest.most
