-- The first schema. Conventions:
--   A space is one (tenant, user) pair; '' stands for an absent name, because NULL is never unique.
--   A unit key is space * 2^32 + number, so that a range of keys is exactly one space.
--   Ids are the 16 bytes of a UUID. Times are microseconds UTC; `zone` is an offset in minutes.
--   NULL stands for the default of a field, so that defaults take no room.

CREATE TABLE space (
    id INTEGER PRIMARY KEY,
    tenant TEXT NOT NULL,
    user_id TEXT NOT NULL,
    next_number INTEGER NOT NULL DEFAULT 0,
    next_event INTEGER NOT NULL DEFAULT 0,
    change INTEGER NOT NULL DEFAULT 0,
    erased INTEGER NOT NULL DEFAULT 0,
    UNIQUE (tenant, user_id)
);

CREATE TABLE turn (
    key INTEGER PRIMARY KEY,
    space INTEGER NOT NULL,
    id BLOB NOT NULL,
    session TEXT NOT NULL,
    said_at INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL,
    zone INTEGER NOT NULL,
    recorded_zone INTEGER,
    role INTEGER NOT NULL,
    encodable INTEGER NOT NULL DEFAULT 1,
    text TEXT NOT NULL,
    name TEXT,
    agent TEXT,
    task TEXT,
    tool TEXT,
    message_key TEXT,
    meta TEXT
);
CREATE UNIQUE INDEX turn_by_id ON turn (space, id);
CREATE UNIQUE INDEX turn_by_message_key ON turn (space, message_key)
    WHERE message_key IS NOT NULL;
CREATE INDEX turn_by_session ON turn (space, session, said_at, key);

-- The further pieces of a long turn; short turns have no row here.
CREATE TABLE piece (
    unit INTEGER PRIMARY KEY,
    turn INTEGER NOT NULL,
    start INTEGER NOT NULL,
    stop INTEGER NOT NULL
);
CREATE INDEX piece_by_turn ON piece (turn);

-- `unit` is the index key of the present text when an update has given it a new one.
CREATE TABLE memory (
    key INTEGER PRIMARY KEY,
    space INTEGER NOT NULL,
    id BLOB NOT NULL,
    unit INTEGER,
    status INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    audience TEXT NOT NULL,
    fingerprint BLOB,
    recorded_at INTEGER NOT NULL,
    said_at INTEGER,
    valid_from INTEGER,
    valid_to INTEGER,
    expires_at INTEGER,
    zone INTEGER NOT NULL,
    zones TEXT,
    known_from INTEGER,
    text TEXT NOT NULL,
    author TEXT,
    agent TEXT,
    session TEXT,
    task TEXT,
    tool TEXT,
    tier TEXT,
    trust TEXT,
    pinned INTEGER,
    importance REAL,
    confidence REAL,
    tags TEXT,
    meta TEXT,
    entities TEXT,
    flags TEXT,
    gate TEXT,
    slot_subject TEXT,
    slot_attribute TEXT,
    slot_value TEXT,
    slot_many INTEGER,
    event_type TEXT,
    event_at INTEGER,
    event_entities TEXT,
    event_outcome TEXT,
    superseded_by BLOB,
    reason TEXT,
    use_count INTEGER,
    last_used_at INTEGER,
    helpful INTEGER,
    unhelpful INTEGER
);
CREATE UNIQUE INDEX memory_by_id ON memory (space, id);
CREATE UNIQUE INDEX memory_live_text ON memory (space, audience, fingerprint)
    WHERE status IN (0, 1);
CREATE UNIQUE INDEX memory_live_slot ON memory (space, audience, slot_subject, slot_attribute)
    WHERE status = 1 AND valid_to IS NULL AND slot_subject IS NOT NULL AND slot_many IS NULL;
CREATE INDEX memory_by_slot ON memory (space, slot_subject, slot_attribute)
    WHERE slot_subject IS NOT NULL;
CREATE INDEX memory_by_unit ON memory (unit) WHERE unit IS NOT NULL;
CREATE INDEX memory_by_audience ON memory (space, audience) WHERE audience <> '';
CREATE INDEX memory_by_expiry ON memory (expires_at) WHERE expires_at IS NOT NULL;

-- Former states: the columns of `memory`, and until when they stood.
CREATE TABLE memory_past (
    version INTEGER PRIMARY KEY,
    key INTEGER NOT NULL,
    space INTEGER NOT NULL,
    id BLOB NOT NULL,
    unit INTEGER,
    status INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    audience TEXT NOT NULL,
    fingerprint BLOB,
    recorded_at INTEGER NOT NULL,
    said_at INTEGER,
    valid_from INTEGER,
    valid_to INTEGER,
    expires_at INTEGER,
    zone INTEGER NOT NULL,
    zones TEXT,
    known_from INTEGER,
    text TEXT NOT NULL,
    author TEXT,
    agent TEXT,
    session TEXT,
    task TEXT,
    tool TEXT,
    tier TEXT,
    trust TEXT,
    pinned INTEGER,
    importance REAL,
    confidence REAL,
    tags TEXT,
    meta TEXT,
    entities TEXT,
    flags TEXT,
    gate TEXT,
    slot_subject TEXT,
    slot_attribute TEXT,
    slot_value TEXT,
    slot_many INTEGER,
    event_type TEXT,
    event_at INTEGER,
    event_entities TEXT,
    event_outcome TEXT,
    superseded_by BLOB,
    reason TEXT,
    use_count INTEGER,
    last_used_at INTEGER,
    helpful INTEGER,
    unhelpful INTEGER,
    known_to INTEGER NOT NULL
);
CREATE INDEX memory_past_by_key ON memory_past (key, version);
CREATE INDEX memory_past_by_unit ON memory_past (unit) WHERE unit IS NOT NULL;

CREATE TABLE memory_source (
    memory INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    id BLOB NOT NULL,
    turn_id BLOB,
    start INTEGER,
    stop INTEGER,
    label TEXT,
    session TEXT,
    said_at INTEGER,
    zone INTEGER,
    added_at INTEGER,
    PRIMARY KEY (memory, ordinal)
) WITHOUT ROWID;
CREATE INDEX memory_source_by_turn ON memory_source (turn_id) WHERE turn_id IS NOT NULL;

-- What was erased, as keyed hashes.
CREATE TABLE tombstone (
    space INTEGER NOT NULL,
    hash BLOB NOT NULL,
    PRIMARY KEY (space, hash)
) WITHOUT ROWID;

-- The audit log: ids, reasons and counts. `key` is space * 2^32 + number, like a unit key.
CREATE TABLE event (
    key INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    at INTEGER NOT NULL,
    zone INTEGER NOT NULL,
    action TEXT NOT NULL,
    memory INTEGER,
    other_id BLOB,
    reason TEXT,
    run_id TEXT,
    counts TEXT
);
CREATE INDEX event_by_memory ON event (memory) WHERE memory IS NOT NULL;
CREATE INDEX event_by_run ON event (run_id) WHERE run_id IS NOT NULL;

-- The text index: see stores/sql/packing.py for the packed forms.
CREATE TABLE text_tail (
    unit INTEGER PRIMARY KEY,
    terms BLOB NOT NULL
);
CREATE TABLE text_block (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    space INTEGER NOT NULL,
    base INTEGER NOT NULL,
    span INTEGER NOT NULL,
    lengths BLOB NOT NULL,
    directory BLOB NOT NULL
);
CREATE UNIQUE INDEX text_block_by_base ON text_block (space, base, span);
-- `key` is block * 2^16 + the position of the page in its block.
CREATE TABLE text_page (
    key INTEGER PRIMARY KEY,
    data BLOB NOT NULL
);

CREATE TABLE vector_model (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    dimension INTEGER NOT NULL
);
-- `seq` grows with every vector, so that caches can ask for what is new. `data` is float16.
CREATE TABLE vector (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    model INTEGER NOT NULL,
    unit INTEGER NOT NULL,
    data BLOB NOT NULL
);
CREATE UNIQUE INDEX vector_by_unit ON vector (model, unit);

CREATE TABLE queue (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    space INTEGER NOT NULL,
    kind TEXT NOT NULL,
    scope TEXT NOT NULL,
    payload TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    zone INTEGER NOT NULL,
    due INTEGER NOT NULL,
    leased_until INTEGER,
    attempt INTEGER NOT NULL DEFAULT 0,
    parked INTEGER NOT NULL DEFAULT 0,
    error TEXT
);
CREATE INDEX queue_by_due ON queue (kind, due) WHERE parked = 0;
CREATE INDEX queue_by_space ON queue (space);

CREATE TABLE spending (
    space INTEGER NOT NULL,
    day TEXT NOT NULL,
    calls INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    PRIMARY KEY (space, day)
) WITHOUT ROWID;

CREATE TABLE profile_permanent (
    space INTEGER NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    set_at INTEGER NOT NULL,
    PRIMARY KEY (space, name)
) WITHOUT ROWID;

-- `cites` are the packed ids that the trace names, so that erasing one finds it.
CREATE TABLE trace (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    space INTEGER NOT NULL,
    id BLOB NOT NULL,
    at INTEGER NOT NULL,
    query TEXT NOT NULL,
    cites BLOB NOT NULL,
    data TEXT NOT NULL
);
CREATE UNIQUE INDEX trace_by_id ON trace (space, id);
CREATE INDEX trace_by_space ON trace (space, seq);
