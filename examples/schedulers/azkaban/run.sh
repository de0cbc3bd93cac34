#!/bin/sh
# Reads the day before the given one (yyyy-MM-dd) into its partition.
set -eu
day=$(date -d "$1 -1 day" +%Y%m%d)
exec "${HIVE:-hive}" --hivevar day="$day" -f "$(dirname "$0")/daily.sql"
