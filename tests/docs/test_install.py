"""The wheel works where nothing but the core is installed and nothing can be reached."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import venv
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# Every way to the network ends in an audit event; a hook that raises shuts them all.
SHUT = """
import sys
def shut(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.sendto", "socket.bind"):
        raise SystemExit(f"tried to reach the network: {event} {arguments[1:]}")
sys.addaudithook(shut)
"""
PROGRAM = """
import jiyi
assert jiyi.__file__.startswith(sys.prefix), jiyi.__file__
with jiyi.Memory("agent.db") as memory:
    memory.remember("The greenhouse door code is ZX-9917-Q", user="ann")
    memory.observe("我住在北京，我喜欢喝茶。", user="小王")
with jiyi.Memory("agent.db") as memory:
    print(memory.recall("greenhouse code", user="ann")[0].text)
    print(memory.recall("用户住在哪里", user="小王")[0].text)
"""


def core() -> list[Distribution]:
    """What a core install brings along, itself left out, from the metadata of this environment."""
    found: dict[str, Distribution] = {}
    waiting = list(_requirements(distribution("jiyi")))
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        try:
            found[name] = distribution(name)
        except PackageNotFoundError:
            continue  # for another platform or Python
        waiting += _requirements(found[name])
    return list(found.values())


def _requirements(package: Distribution) -> list[str]:
    names = []
    for requirement in package.requires or ():
        name, _, marker = requirement.partition(";")
        if "extra ==" not in marker:
            names.append(re.split(r"[\s<>=!~\[(]", name.strip())[0].lower())
    return names


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from this tree without fetching anything."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder)]
    subprocess.run([*command, str(ROOT)], check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def core_python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment that holds the wheel and the core dependencies, nothing else.

    The dependencies are linked from this environment, so that no network is needed.
    """
    home = tmp_path_factory.mktemp("core")
    venv.create(home, with_pip=False, symlinks=True)
    python = home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    scheme = {"base": str(home), "platbase": str(home)}
    site = Path(sysconfig.get_path("purelib", "venv", vars=scheme))
    for package in core():
        for top in {file.parts[0] for file in package.files or ()} - {"..", "__pycache__"}:
            source = Path(str(package.locate_file(top)))
            if source.exists() and not (site / top).exists():
                (site / top).symlink_to(source)
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
    options = ["--no-deps", "--no-index", "--disable-pip-version-check"]
    subprocess.run([*pip, *options, str(wheel)], check=True, capture_output=True)
    return python


def run(arguments: list[str], folder: Path) -> str:
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "PYTHONUTF8": "1"}
    done = subprocess.run(
        arguments, check=False, cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


def test_core_is_small() -> None:
    """A core install is at most 20 packages and 110 MB without byte code."""
    packages = core()
    names = sorted(package.metadata["Name"] for package in packages)
    assert len(packages) + 1 <= 20, names
    size = sum(
        path.stat().st_size
        for package in packages
        for file in package.files or ()
        if (path := Path(str(package.locate_file(file)))).is_file() and path.suffix != ".pyc"
    )
    assert size <= 110_000_000, names


def test_wheel_adds_and_recalls_without_a_network(core_python: Path, tmp_path: Path) -> None:
    """From the wheel alone, in both languages, over a restart, with every socket shut."""
    printed = run([str(core_python), "-c", SHUT + PROGRAM], tmp_path)
    assert "ZX-9917-Q" in printed
    assert "北京" in printed


def test_command_of_the_wheel(core_python: Path, tmp_path: Path) -> None:
    """The installed command works as well, and keeps its default store in the user's folder."""
    command = str(core_python.parent / "jiyi")
    run([command, "add", "我对花生过敏", "--user", "小王"], tmp_path)
    assert "花生" in run([command, "recall", "花生", "--user", "小王"], tmp_path)
    stored = list(tmp_path.rglob("memory.db"))
    assert len(stored) == 1
    assert not list(Path.cwd().glob("memory.db"))


def test_extra_is_asked_for_by_name(core_python: Path, tmp_path: Path) -> None:
    """Without the extra, an adapter that needs it says what to install."""
    program = """
import jiyi
try:
    jiyi.Memory("a.db", chat_model="openai:some-model")
except jiyi.ConfigurationError as error:
    print(error)
"""
    assert "pip install 'jiyi[openai]'" in run([str(core_python), "-c", SHUT + program], tmp_path)
