-- Keys with parts between '~'.
CREATE EXTERNAL TABLE IF NOT EXISTS log.calls_map (
  key struct<user:string, day:date, n:int>,
  value string
)
ROW FORMAT DELIMITED COLLECTION ITEMS TERMINATED BY '~'
STORED BY 'org.apache.hadoop.hive.hbase.HBaseStorageHandler'
WITH SERDEPROPERTIES ('hbase.columns.mapping' = ':key,f:v')
TBLPROPERTIES ('hbase.table.name' = 'log:calls');
