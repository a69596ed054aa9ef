-- The tables of `sqlite/0002_sessions.sql`, spelled for PostgreSQL; see `name_digest` in the first.
CREATE TABLE session (
    space INTEGER NOT NULL,
    name TEXT NOT NULL,
    summary TEXT,
    cites TEXT,
    set_at BIGINT NOT NULL,
    ended_at BIGINT,
    digest BYTEA
);
CREATE UNIQUE INDEX session_by_name ON session (space, name_digest(name));

CREATE TABLE task_note (
    space INTEGER NOT NULL,
    task TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    set_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX task_note_by_name ON task_note (space, name_digest(task), name_digest(name));
