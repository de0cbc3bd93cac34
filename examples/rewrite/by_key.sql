-- The same on the mapping table, whose queries cut the row key themselves.
SELECT u.province, count(*) AS calls
FROM   trace.calls_map c   /* salted */
JOIN dim.users u ON substr(c.rowkey, 12) = u.id
WHERE substr(c.rowkey, 4, 8) = '${day}' AND substr(c.rowkey, 12) IN ('u1', 'u2')
GROUP BY u.province;
