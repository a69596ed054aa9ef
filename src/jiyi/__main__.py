"""`python -m jiyi`: the command where no folder of scripts is on the path."""

from jiyi.cli import main

if __name__ == "__main__":
    main()
