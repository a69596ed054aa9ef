"""`python -m bench --shared FOLDER`: the recall benchmarks, by words alone."""

import typer

from bench.recall import main

if __name__ == "__main__":
    typer.run(main)
