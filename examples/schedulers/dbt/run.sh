#!/bin/sh
# Compiles the statements of a day (yyyyMMdd), and runs them: the load, then the check.
set -eu
cd "$(dirname "$0")"
dbt compile --select daily daily_check --vars "{day: '$1'}"
for statement in daily daily_check; do
  "${BEELINE:-beeline}" -u "${JDBC_URL:?}" -f "target/compiled/visits/analyses/$statement.sql"
done
