-- Who may come in over a service, and who did what. A key's secret is not kept, only its digest;
-- `tenant` is '' for the one without a name; `users`, `agents` and `rights` are lists in JSON.
CREATE TABLE access_key (
    id BLOB PRIMARY KEY,
    name TEXT NOT NULL,
    digest BLOB NOT NULL,
    rights TEXT NOT NULL,
    tenant TEXT NOT NULL,
    every_tenant INTEGER NOT NULL,
    users TEXT,
    agents TEXT,
    created_at INTEGER NOT NULL,
    zone INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER
) WITHOUT ROWID;

ALTER TABLE event ADD COLUMN actor TEXT;

-- Answers to requests that may come again: a retry gets the first answer. They hold ids, counts and
-- reasons, and `name` and `digest` are hashes under a key that only the caller has.
CREATE TABLE reply (
    space INTEGER NOT NULL,
    name BLOB NOT NULL,
    digest BLOB NOT NULL,
    at INTEGER NOT NULL,
    zone INTEGER NOT NULL,
    body TEXT,
    PRIMARY KEY (space, name)
) WITHOUT ROWID;
CREATE INDEX reply_by_age ON reply (at);
