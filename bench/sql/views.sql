CREATE TEMPORARY VIEW bid AS
SELECT auction, person AS bidder, price, ts FROM nexmark WHERE kind = 2;

CREATE TEMPORARY VIEW auction AS
SELECT auction AS id, person AS seller, price AS reserve, ts FROM nexmark WHERE kind = 1;

CREATE TEMPORARY VIEW person AS
SELECT person AS id, name, ts FROM nexmark WHERE kind = 0
