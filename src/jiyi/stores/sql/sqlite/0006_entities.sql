-- What live and past memories name, and what they say of it. `name` is the key of a name: equal for
-- names that are one; '' is the user. It all follows from the memories, and goes with them.
CREATE TABLE entity (
    id INTEGER PRIMARY KEY,
    space INTEGER NOT NULL,
    name TEXT NOT NULL,
    text TEXT NOT NULL,
    kind TEXT NOT NULL
);
CREATE UNIQUE INDEX entity_by_name ON entity (space, name);

CREATE TABLE entity_mention (
    memory INTEGER NOT NULL,
    entity INTEGER NOT NULL,
    PRIMARY KEY (memory, entity)
) WITHOUT ROWID;

-- Both ends of a relation are mentioned by every memory that says it.
CREATE TABLE relation (
    id INTEGER PRIMARY KEY,
    one INTEGER NOT NULL,
    name TEXT NOT NULL,
    other INTEGER NOT NULL
);
CREATE UNIQUE INDEX relation_by_one ON relation (one, name, other);
CREATE INDEX relation_by_other ON relation (other);

CREATE TABLE relation_source (
    memory INTEGER NOT NULL,
    relation INTEGER NOT NULL,
    PRIMARY KEY (memory, relation)
) WITHOUT ROWID;
CREATE INDEX relation_source_by_relation ON relation_source (relation, memory);
