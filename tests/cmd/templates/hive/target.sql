CREATE TABLE {{ tabel }};
