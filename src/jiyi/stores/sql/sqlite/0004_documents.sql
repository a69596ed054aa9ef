-- External memory. A document takes a number of its space, and so does each of its passages, which
-- are what is indexed. `author` is '' where nobody is named; `digest` tells whether it has changed.
CREATE TABLE document (
    key INTEGER PRIMARY KEY,
    space INTEGER NOT NULL,
    id BLOB NOT NULL,
    author TEXT NOT NULL,
    shared INTEGER NOT NULL,
    collection TEXT NOT NULL,
    name TEXT NOT NULL,
    title TEXT NOT NULL,
    digest BLOB NOT NULL,
    passages INTEGER NOT NULL,
    added_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    zone INTEGER NOT NULL,
    meta TEXT
);
CREATE UNIQUE INDEX document_by_id ON document (space, id);
CREATE UNIQUE INDEX document_by_name ON document (space, author, collection, name);

-- `shared` repeats that of the document, so that a tenant's users see at once what is for them.
CREATE TABLE passage (
    unit INTEGER PRIMARY KEY,
    document INTEGER NOT NULL,
    id BLOB NOT NULL,
    position INTEGER NOT NULL,
    start INTEGER NOT NULL,
    stop INTEGER NOT NULL,
    shared INTEGER NOT NULL,
    heading TEXT,
    text TEXT NOT NULL,
    flags TEXT,
    meta TEXT NOT NULL
);
CREATE INDEX passage_by_document ON passage (document, position);
CREATE INDEX passage_shared ON passage (unit) WHERE shared = 1;
