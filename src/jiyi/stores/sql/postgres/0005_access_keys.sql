-- The tables of `sqlite/0005_access_keys.sql`, spelled for PostgreSQL.
CREATE TABLE access_key (
    id BYTEA PRIMARY KEY,
    name TEXT NOT NULL,
    digest BYTEA NOT NULL,
    rights TEXT NOT NULL,
    tenant TEXT NOT NULL,
    every_tenant SMALLINT NOT NULL,
    users TEXT,
    agents TEXT,
    created_at BIGINT NOT NULL,
    zone SMALLINT NOT NULL,
    expires_at BIGINT,
    revoked_at BIGINT
);

ALTER TABLE event ADD COLUMN actor TEXT;

CREATE TABLE reply (
    space INTEGER NOT NULL,
    name BYTEA NOT NULL,
    digest BYTEA NOT NULL,
    at BIGINT NOT NULL,
    zone SMALLINT NOT NULL,
    body TEXT,
    PRIMARY KEY (space, name)
);
CREATE INDEX reply_by_age ON reply (at);
