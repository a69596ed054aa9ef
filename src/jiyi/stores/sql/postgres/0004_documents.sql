-- The tables of `sqlite/0004_documents.sql`, spelled for PostgreSQL; see `name_digest` in the first.
CREATE TABLE document (
    key BIGINT PRIMARY KEY,
    space INTEGER NOT NULL,
    id BYTEA NOT NULL,
    author TEXT NOT NULL,
    shared SMALLINT NOT NULL,
    collection TEXT NOT NULL,
    name TEXT NOT NULL,
    title TEXT NOT NULL,
    digest BYTEA NOT NULL,
    passages INTEGER NOT NULL,
    added_at BIGINT NOT NULL,
    changed_at BIGINT NOT NULL,
    zone SMALLINT NOT NULL,
    meta TEXT
);
CREATE UNIQUE INDEX document_by_id ON document (space, id);
CREATE UNIQUE INDEX document_by_name ON document
    (space, name_digest(author), name_digest(collection), name_digest(name));

CREATE TABLE passage (
    unit BIGINT PRIMARY KEY,
    document BIGINT NOT NULL,
    id BYTEA NOT NULL,
    position INTEGER NOT NULL,
    start INTEGER NOT NULL,
    stop INTEGER NOT NULL,
    shared SMALLINT NOT NULL,
    heading TEXT,
    text TEXT NOT NULL,
    flags TEXT,
    meta TEXT NOT NULL
);
CREATE INDEX passage_by_document ON passage (document, position);
CREATE INDEX passage_shared ON passage (unit) WHERE shared = 1;
