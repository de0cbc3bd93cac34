CREATE EXTERNAL TABLE shop.orders_map (rowkey string, amount int)
STORED BY 'org.apache.hadoop.hive.hbase.HBaseStorageHandler'
WITH SERDEPROPERTIES ('hbase.columns.mapping' = ':key,f:amount')
TBLPROPERTIES ('hbase.table.name' = 'orders', 'external.table.purge' = 'true');
