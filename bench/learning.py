"""What a mark does: the place of a memory before and after `feedback`, in both languages.

`python -m bench.learning` tells pairs of memories that answer one question about as well, marks the
lower one of each as helpful and the upper one as unhelpful, and prints where both stood and stand.
"""

from __future__ import annotations

from jiyi import Memory

PAIRS = (
    (
        "How do the kilns cool down?",
        "The kilns cool down overnight with the door shut.",
        "The kilns cool down overnight in the open yard.",
    ),
    (
        "How do I reset the router?",
        "To reset the router, hold the button for ten seconds.",
        "To reset the router, pull the plug and wait.",
    ),
    ("窑炉怎么降温？", "窑炉要关着门过夜降温。", "窑炉要在院子里过夜降温。"),
    ("路由器怎么重启？", "重启路由器要按住按钮十秒。", "重启路由器要拔掉插头等一会儿。"),
)


def standing(memory: Memory, question: str) -> dict[str, tuple[int | None, float, float, float]]:
    """Rank, score, and what marks added and took away, of each memory found."""
    memory.recall(question, units="memory")
    return {
        c.id: (
            c.rank,
            sum(c.scores.values()),
            c.scores.get("use", 0.0),
            c.scores.get("unhelpful", 0.0),
        )
        for c in memory.explain().candidates
    }


def main() -> None:
    """Print the table."""
    print("| question | memory | mark | rank before | after | score before | after | by marks |")
    print("|---|---|---|---|---|---|---|---|")
    for question, *texts in PAIRS:
        with Memory(":memory:", embedder=None, background=False) as memory:
            ids = {memory.remember(text).memory_id or "": text for text in texts}
            before = standing(memory, question)
            upper, lower = sorted(ids, key=lambda id: before[id][0] or 99)
            memory.feedback(lower, helpful=True)
            memory.feedback(upper, helpful=False)
            after = standing(memory, question)
            for id, mark in ((upper, "unhelpful"), (lower, "helpful")):
                (was, score, _, _), (now, new, use, harm) = before[id], after[id]
                print(
                    f"| {question} | {ids[id]} | {mark} | {was} | {now} | {score:.3f} | "
                    f"{new:.3f} | {use + harm:+.3f} |"
                )


if __name__ == "__main__":
    main()
