"""The systemd unit and the container file: what they start is run as they say, as a process."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import socket
import stat
import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from test_serving import free_port, wait_for

from jiyi import Memory
from jiyi.settings import ServerSettings

ROOT = Path(__file__).parents[2]
UNIT = (ROOT / "deploy" / "jiyi.service").read_text("utf-8")
CONTAINER = (ROOT / "deploy" / "Containerfile").read_text("utf-8").replace("\\\n", " ")
JIYI = [sys.executable, "-c", "from jiyi.cli import main; main()"]


def of_unit(name: str) -> str:
    """The value of a directive that stands in the unit once."""
    (value,) = re.findall(rf"^{name}=(.*)$", UNIT, re.MULTILINE)
    return str(value)


def in_container(instruction: str) -> str:
    """What an instruction that stands in the last stage once says."""
    last = CONTAINER.rpartition("\nFROM ")[2]
    (value,) = re.findall(rf"^{instruction} (.*)$", last, re.MULTILINE)
    return str(value)


@pytest.fixture
def slow_model() -> Iterator[str]:
    """A model's server that takes every request and never answers."""
    asked = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        taken: list[socket.socket] = []

        def take() -> None:
            while True:
                try:
                    taken.append(listener.accept()[0])
                except OSError:
                    return
                asked.set()

        threading.Thread(target=take, daemon=True).start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
        for each in taken:
            each.close()
        listener.shutdown(socket.SHUT_RDWR)
    assert asked.is_set(), "no job was at work"


def test_the_command_of_the_unit(tmp_path: Path, slow_model: str) -> None:
    """Started with the unit's environment and nothing else, from the root folder, it serves; its
    files are for its user alone. Stopped while a job is at work it ends with 0, in the time that
    systemd gives it, and the job waits for the next start."""
    program, *arguments = shlex.split(of_unit("ExecStart"))
    assert Path(program).name == "jiyi"
    name, _, db = of_unit("Environment").partition("=")
    assert (name, Path(db).parent) == ("JIYI_DB", Path("/var/lib") / of_unit("StateDirectory"))
    store, port = tmp_path / Path(db).name, free_port()
    environment = {
        "PATH": "/usr/bin:/bin",
        name: str(store),
        # What the operator would write into /etc/jiyi/environment:
        "JIYI_EMBEDDER": "none",
        "JIYI_SERVER_PORT": str(port),
        "JIYI_MODEL": "openai:slow",
        "JIYI_BASE_URL": slow_model,
        "JIYI_API_KEY": "none",
    }
    process = subprocess.Popen(
        [*JIYI, *arguments],
        env=environment,
        cwd="/",
        umask=int(of_unit("UMask"), 8),
        stderr=subprocess.PIPE,
    )
    url = f"http://127.0.0.1:{port}"
    try:
        wait_for(url, process)
        messages = [f"第{n}天住在杭州 day {n} in Hangzhou" for n in range(12)]
        body = {"user": "sun", "session": "A", "messages": messages}
        assert httpx.post(f"{url}/v1/turns", json=body).is_success
        for _ in range(600):
            if httpx.get(f"{url}/v1/stats", params={"user": "sun"}).json()["queue"].get("leased"):
                break
        process.send_signal(getattr(signal, of_unit("KillSignal")))
        _, err = process.communicate(timeout=float(of_unit("TimeoutStopSec")) * 4)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 0, err.decode()
    assert float(of_unit("TimeoutStopSec")) > ServerSettings().stop_after_s + 10
    assert "杭州" not in err.decode()
    for file in tmp_path.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) & 0o077 == 0, file
    with Memory(store, embedder=None, background=False) as memory:
        queue = memory.stats(user="sun").queue
        assert queue.get("leased", 0) == 0
        assert queue["pending"] >= 1


def test_systemd_reads_the_unit(tmp_path: Path) -> None:
    """`systemd-analyze verify` has nothing to say about it."""
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("there is no systemd here")
    unit = tmp_path / "jiyi.service"
    unit.write_text(UNIT.replace("/opt/jiyi/bin/jiyi", sys.executable), "utf-8")
    said = subprocess.run(
        [analyze, "verify", str(unit)], check=False, capture_output=True, text=True
    )
    assert (said.returncode, said.stderr) == (0, "")


def test_the_command_of_the_container(tmp_path: Path) -> None:
    """With the variables of the file: without a key it does not start and says what to do, with one
    it does, the health check passes, and STOPSIGNAL ends it with 0."""
    variables = dict(re.findall(r"(\w+)=(\S+)", in_container("ENV")))
    assert Path(variables["JIYI_DB"]).parent == Path(in_container("VOLUME"))
    port = free_port()
    del variables["PATH"]  # the path of the image
    environment = {
        **os.environ,
        **variables,
        "JIYI_DB": str(tmp_path / "memory.db"),
        "JIYI_EMBEDDER": "none",
        "JIYI_SERVER_PORT": str(port),
    }
    assert json.loads(in_container("ENTRYPOINT")) == ["jiyi"]
    command = [*JIYI, *json.loads(in_container("CMD"))]
    early = subprocess.run(command, check=False, env=environment, capture_output=True, text=True)
    assert early.returncode == 1
    assert "jiyi keys create" in early.stderr
    asked = re.search(r"/data jiyi (keys create .*)", CONTAINER)
    assert asked is not None
    subprocess.run([*JIYI, *shlex.split(asked[1])], env=environment, check=True)
    check = json.loads(in_container("HEALTHCHECK").partition("CMD ")[2])
    check[0] = sys.executable
    process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE)
    try:
        wait_for(f"http://127.0.0.1:{port}", process)
        subprocess.run(check, env=environment, check=True)
        process.send_signal(getattr(signal, in_container("STOPSIGNAL")))
        _, err = process.communicate(timeout=120)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 0, err.decode()
    late = subprocess.run(check, check=False, env=environment, capture_output=True)
    assert late.returncode != 0


def test_the_container_is_made_of_what_is_there() -> None:
    """What it copies is there, and its extras are ours."""
    first = CONTAINER.rpartition("\nFROM ")[0]
    for line in re.findall(r"^COPY (.*)$", first, re.MULTILINE):
        for source in line.split()[:-1]:
            assert (ROOT / source).exists(), source
    (extras,) = re.findall(r"^ARG EXTRAS=(.*)$", first, re.MULTILINE)
    known = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert set(extras.split(",")) <= set(known["optional-dependencies"])
