#!/bin/sh
# Runs a statement of this folder for the day before the given one (yyyy-MM-dd).
set -eu
day=$(date -d "$1 -1 day" +%Y%m%d)
exec "${HIVE:-hive}" --hivevar day="$day" -f "$(dirname "$0")/$2"
