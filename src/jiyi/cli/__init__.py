"""The command line: one command is one call of `Memory`, shown to people or as JSON."""


def main() -> None:
    """Run the `jiyi` command."""
    from jiyi.cli.app import app

    app()


__all__ = ["main"]
