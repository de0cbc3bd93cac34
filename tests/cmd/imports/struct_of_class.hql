create table calls_map (key struct<user:string, n:int>, value string)
stored by 'org.apache.hadoop.hive.hbase.HBaseStorageHandler'
with serdeproperties ('hbase.columns.mapping' = ':key,f:v', 'hbase.composite.key.factory' = 'com.example.CallKeyFactory');
