CREATE TEMPORARY TABLE later (n BIGINT) WITH (
  'connector' = 'datagen', 'rows-per-second' = '2', 'number-of-rows' = '32',
  'fields.n.kind' = 'sequence', 'fields.n.start' = '1', 'fields.n.end' = '32'
);
DROP TEMPORARY VIEW bid_by_clock;
CREATE TEMPORARY VIEW bid_by_clock AS
SELECT bidder, PROCTIME() AS proc FROM (SELECT bidder FROM bid UNION ALL SELECT -n AS bidder FROM later)
