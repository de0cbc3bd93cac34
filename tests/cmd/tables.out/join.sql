SELECT c.phone FROM trace.calls c JOIN dim.users u ON c.row_id = u.id
WHERE u.id = 'u1' AND c.opera_day = 20200406;
