-- The tables of `sqlite/0002_sessions.sql`, spelled for PostgreSQL; see `name_digest` in the first.
CREATE TABLE session (
    space INTEGER NOT NULL,
    name TEXT NOT NULL,
    summary TEXT,
    cites TEXT,
    set_at BIGINT NOT NULL,
    ended_at BIGINT
);
CREATE UNIQUE INDEX session_by_name ON session (space, name_digest(name));

CREATE TABLE session_digest (
    space INTEGER NOT NULL,
    id BYTEA NOT NULL,
    cites TEXT NOT NULL,
    PRIMARY KEY (space, id)
);

CREATE TABLE task_note (
    space INTEGER NOT NULL,
    task TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    set_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX task_note_by_name ON task_note (space, name_digest(task), name_digest(name));
