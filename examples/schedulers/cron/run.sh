#!/bin/sh
# Reads a day into its partition: yesterday, or the day given as yyyyMMdd.
set -eu
day=${1:-$(date -d yesterday +%Y%m%d)}
exec "${HIVE:-hive}" --hivevar day="$day" -f "$(dirname "$0")/daily.sql"
