-- Short-term memory: the summary of a session with the ids of the turns it quotes (JSON), and the
-- memory that it left when it ended.
CREATE TABLE session (
    space INTEGER NOT NULL,
    name TEXT NOT NULL,
    summary TEXT,
    cites TEXT,
    set_at INTEGER NOT NULL,
    ended_at INTEGER,
    digest BLOB,
    PRIMARY KEY (space, name)
) WITHOUT ROWID;

-- `ordinal` orders the notes of a task; a note that is set again keeps its place.
CREATE TABLE task_note (
    space INTEGER NOT NULL,
    task TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    set_at INTEGER NOT NULL,
    PRIMARY KEY (space, task, name)
) WITHOUT ROWID;
