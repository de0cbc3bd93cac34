CREATE TABLE dim.users (id int);
