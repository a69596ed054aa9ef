-- What stands in every context whatever the question is: pinned or important memories, few among
-- many, which no read should look for among all others. The condition is that of `MARKED` in
-- stores/sql/selection.py.
CREATE INDEX memory_marked ON memory (space, key) WHERE pinned = 1 OR importance >= 0.8;
