CREATE TEMPORARY VIEW bid AS
SELECT auction, person AS bidder, price, ts FROM nexmark WHERE kind = 2;

CREATE TEMPORARY VIEW auction AS
SELECT auction AS id, person AS seller, price AS reserve, 10 + MOD(auction, 5) AS category, ts,
       TO_TIMESTAMP_LTZ(`timestamp` + 20 + 20 * MOD(auction, 7), 3) AS expires
FROM nexmark WHERE kind = 1;

CREATE TEMPORARY VIEW person AS
SELECT person AS id, name, ts,
       CASE MOD(person, 6) WHEN 0 THEN 'AZ' WHEN 1 THEN 'CA' WHEN 2 THEN 'ID' WHEN 3 THEN 'OR' WHEN 4 THEN 'WA' ELSE 'WY' END AS state,
       CASE MOD(person, 4) WHEN 0 THEN 'Phoenix' WHEN 1 THEN 'Palo Alto' WHEN 2 THEN 'Boise' ELSE 'Portland' END AS city
FROM nexmark WHERE kind = 0;

CREATE TEMPORARY VIEW bid_by_clock AS SELECT bidder, PROCTIME() AS proc FROM bid
