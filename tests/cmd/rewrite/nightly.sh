#!/bin/bash
day=$(date -d yesterday +%Y%m%d)
hive --hivevar env=prod -e "
  INSERT OVERWRITE TABLE x.y PARTITION (day = '$day')
  SELECT * FROM trace.calls WHERE day = $day;
"
