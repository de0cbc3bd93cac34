-- The users of some calls; trace.calls is the logical table of calls.yaml.
SELECT u.province, count(*) AS calls
FROM   trace.calls c   /* salted */
JOIN dim.users u ON c.row_id = u.id
WHERE c.opera_day = ${day} AND c.row_id IN ('u1', 'u2')
GROUP BY u.province;
