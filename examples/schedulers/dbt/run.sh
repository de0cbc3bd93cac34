#!/bin/sh
# Compiles the statement of a day (yyyyMMdd), and runs it.
set -eu
cd "$(dirname "$0")"
dbt compile --select daily --vars "{day: '$1'}"
exec "${BEELINE:-beeline}" -u "${JDBC_URL:?}" -f target/compiled/visits/analyses/daily.sql
