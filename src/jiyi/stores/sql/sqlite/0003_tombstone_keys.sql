-- Keys under which tombstones that came by an archive were hashed, beside the store's own.
CREATE TABLE tombstone_key (
    space INTEGER NOT NULL,
    key BLOB NOT NULL,
    PRIMARY KEY (space, key)
) WITHOUT ROWID;
