SELECT category, AVG(final) AS average
FROM (
  SELECT a.id, a.category, MAX(b.price) AS final
  FROM auction AS a
  JOIN bid AS b ON a.id = b.auction AND b.ts BETWEEN a.ts AND a.expires
  GROUP BY a.id, a.category
) AS sold
GROUP BY category
