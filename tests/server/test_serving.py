"""`jiyi serve` as a process: it starts, stops on SIGTERM, and gives back what it had begun."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import fields, replace
from pathlib import Path

import httpx
import pytest

from jiyi import Memory
from jiyi.access import Keyring
from jiyi.errors import ConfigurationError
from jiyi.server.serving import check_serving
from jiyi.settings import ServerSettings, Settings, environment_of, read_settings

ROOT = Path(__file__).parents[2]
_MAIN = "from jiyi.cli import main; main()"


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


def start(tmp_path: Path, port: int, *options: str) -> subprocess.Popen[bytes]:
    env = {**os.environ, "JIYI_DB": str(tmp_path / "a.db"), "JIYI_EMBEDDER": "none"}
    command = [sys.executable, "-c", _MAIN, "serve", "--port", str(port), *options]
    return subprocess.Popen(command, env=env, stderr=subprocess.PIPE)


def wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + 240
    while time.monotonic() < end:
        assert process.poll() is None, process.communicate()[1].decode()
        try:
            if httpx.get(f"{url}/readyz", timeout=5).is_success:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    raise AssertionError("it did not start")


@pytest.mark.parametrize("processes", [1, 2])
def test_it_serves_and_stops(tmp_path: Path, processes: int) -> None:
    """It answers, keeps what it was told, and on SIGTERM ends well with everything in the store."""
    port = free_port()
    process = start(tmp_path, port, "--processes", str(processes))
    url = f"http://127.0.0.1:{port}"
    try:
        wait_for(url, process)
        body = {"user": "sun", "messages": ["我搬到杭州了"]}
        for _ in range(4):
            assert httpx.post(f"{url}/v1/turns", json=body).is_success
        numbers = httpx.get(f"{url}/metrics").text
        assert 'jiyi_http_requests_total{method="POST",route="/v1/turns",status="200"} 4.0' in (
            numbers
        )
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=120)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 0, err.decode()
    assert "杭州" not in err.decode()
    with Memory(tmp_path / "a.db", embedder=None, background=False) as memory:
        assert memory.list(user="sun").total == 1
        assert memory.stats(user="sun").queue.get("leased", 0) == 0


def test_beyond_this_machine_it_needs_a_key(tmp_path: Path) -> None:
    """Without keys it refuses, names the way out, and never listens; with one it may."""
    process = start(tmp_path, free_port(), "--host", "0.0.0.0")
    _, err = process.communicate(timeout=240)
    assert process.returncode == 1
    assert "jiyi keys create" in err.decode()
    settings = Settings(db=str(tmp_path / "a.db"), server=ServerSettings(host="0.0.0.0"))
    with Memory(settings.db, embedder=None, background=False) as memory:
        with pytest.raises(ConfigurationError):
            check_serving(memory, settings)
        Keyring(memory).create("k")
        check_serving(memory, settings)
        for wrong in (
            replace(settings.server, log_level="loud"),
            replace(settings.server, processes=0),
        ):
            with pytest.raises(ConfigurationError):
                check_serving(memory, replace(settings, server=wrong))


def test_settings_travel_to_other_processes(tmp_path: Path) -> None:
    """What one process was told, another reads from its environment."""
    server = ServerSettings(
        port=1, cors_origins=("https://a", "https://b"), upstream_key="s", tracing=True
    )
    settings = Settings(db="x.db", user="孙", embedder="none", server=server)
    assert read_settings({**environment_of(settings), "HOME": str(tmp_path)}) == settings
    assert "upstream_key" not in repr(settings)


def test_the_file_has_a_table(tmp_path: Path) -> None:
    """`[server]` in the file is checked like the rest; the environment wins."""
    file = tmp_path / "config.toml"
    file.write_text('user = "sun"\n[server]\nport = 9\ncors_origins = ["a"]\nstop_after_s = 3\n')
    settings = read_settings({"JIYI_CONFIG": str(file), "JIYI_SERVER_PORT": "10"})
    assert (settings.server.port, settings.server.cors_origins) == (10, ("a",))
    assert settings.server.stop_after_s == 3.0
    for content, problem in (
        ("[server]\nprt = 1", "Did you mean 'port'"),
        ('[server]\nport = "x"', "whole number"),
        ("server = 3", "table"),
        ("[server]\ntracing = 1", "true or false"),
    ):
        file.write_text(content)
        with pytest.raises(ConfigurationError, match=problem):
            read_settings({"JIYI_CONFIG": str(file)})
    for name, value in (("PORT", "x"), ("TRACING", "maybe")):
        with pytest.raises(ConfigurationError, match=name):
            read_settings({f"JIYI_SERVER_{name}": value, "HOME": str(tmp_path)})


def test_every_setting_of_the_server_is_documented() -> None:
    """docs/operations.md has a line for each."""
    text = (ROOT / "docs" / "operations.md").read_text("utf-8")
    for field in fields(ServerSettings):
        assert f"`{field.name}`" in text, field.name
