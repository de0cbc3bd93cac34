#!/bin/sh
# Reads a day into its partition, and checks that all rows arrived: yesterday, or the day given as yyyyMMdd.
set -eu
day=${1:-$(date -d yesterday +%Y%m%d)}
for statement in daily daily_check; do
  "${HIVE:-hive}" --hivevar day="$day" -f "$(dirname "$0")/$statement.sql"
done
