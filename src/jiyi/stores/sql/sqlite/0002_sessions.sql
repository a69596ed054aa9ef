-- Short-term memory: the summary of a session with the ids of the turns it quotes (JSON).
CREATE TABLE session (
    space INTEGER NOT NULL,
    name TEXT NOT NULL,
    summary TEXT,
    cites TEXT,
    set_at INTEGER NOT NULL,
    ended_at INTEGER,
    PRIMARY KEY (space, name)
) WITHOUT ROWID;

-- The memories that ended sessions left, by id, with the turns that they quote (JSON).
CREATE TABLE session_digest (
    space INTEGER NOT NULL,
    id BLOB NOT NULL,
    cites TEXT NOT NULL,
    PRIMARY KEY (space, id)
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
