-- The tables that the queries join.
CREATE EXTERNAL TABLE IF NOT EXISTS dim.users (
  id string COMMENT 'of the phone',
  `age` int,
  tags map<string,array<int>>
)
PARTITIONED BY (dt int)
STORED AS ORC;
