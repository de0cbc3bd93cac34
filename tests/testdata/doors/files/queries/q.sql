SELECT * FROM m.t_rows WHERE opera_day = 20200406;
