-- Events of Phoenix, as its shell keeps them.
CREATE TABLE IF NOT EXISTS app.events (
    tenant VARCHAR NOT NULL,
    "Day" DATE NOT NULL,          /* newest first */
    seq BIGINT NOT NULL,
    kind VARCHAR(20) DEFAULT 'x',
    f.amount UNSIGNED_LONG,
    f.price DECIMAL(18, 2)
    CONSTRAINT pk PRIMARY KEY (tenant, "Day" DESC, seq ROW_TIMESTAMP)
) SALT_BUCKETS = 16, MULTI_TENANT = true, IMMUTABLE_ROWS = true, COLUMN_ENCODED_BYTES = 0, f.TTL = 864000, COMPRESSION = 'GZ';
