"""A memory as a tree of files, for models that know how to keep notes in files.

    /memories/profile.md      what is known of the user for certain; it is made anew on each look
    /memories/facts/          one file for each fact, preference or lesson
    /memories/episodes/       one for each event
    /memories/procedures/     one for each way of doing something
    /memories/anything/else   files that the model makes for itself

Nothing of it lies on a disk. The files of the three folders are memories, whoever learned them:
writing one remembers, deleting one forgets. All other files are items, kept to the letter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import unquote

from jiyi.agent.model_tools import whose_word
from jiyi.errors import JiyiError
from jiyi.memory.items import Items, NewItem

if TYPE_CHECKING:
    from jiyi.memory import Memory
    from jiyi.types import Kind, MemoryRecord

ROOT: Final = "/memories"
PROFILE: Final = ("profile.md",)
FOLDERS: Final[Mapping[str, tuple[Kind, ...]]] = {
    "facts": ("semantic", "reflective"),
    "episodes": ("episodic",),
    "procedures": ("procedural",),
}
"""The folders of memories, with the kinds they show; the first is that of a new file."""

LISTED: Final = 100
"""Memories that a folder lists, the newest; the others are there by name."""

FAMILY: Final = "files"

_MAX_LINES: Final = 999_999
_WIDTH: Final = 6  # of a line number, as models were trained on
_DEPTH: Final = 2  # levels that a folder lists
_TAIL: Final = 8  # characters of an id that a file's name ends with
_SLUG: Final = 40  # characters of a text that a file's name begins with
_NAME: Final = re.compile(r"[^\x00-\x1f\x7f\\]{1,255}")
_NO_WORD: Final = re.compile(r"[\W_]+")
_GENERATED: Final = re.compile(rf"(?:.+-)?([0-9a-f]{{{_TAIL}}})\.md")

Place = tuple[str, ...]


class TreeError(JiyiError):
    """What a model did wrong, in words that it can act on."""


class _File(NamedTuple):
    place: Place
    text: str
    memory: MemoryRecord | None = None


class MemoryTree:
    """The tree of one user: `memory.scoped(user=…)`. Paths begin with /memories. Thread-safe."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._items = Items(memory, FAMILY)

    # --- the verbs ----------------------------------------------------------------------------

    def view(self, path: object, view_range: Sequence[int] | None = None) -> str:
        """A folder with its files two levels deep, or a file with numbered lines.

        Args:
            view_range: first and last line, from 1; -1 is the end.
        """
        place = _place(path)
        if self._is_folder(place):
            return self._list(place)
        lines = self._file(place).text.split("\n")
        if len(lines) > _MAX_LINES:
            raise TreeError(f"{_shown(place)} has more than {_MAX_LINES:,} lines.")
        first, last = 1, len(lines)
        if view_range is not None:
            if len(view_range) != 2 or not all(isinstance(n, int) for n in view_range):
                raise TreeError(
                    "Invalid `view_range`: give the first and last line, such as [1, 9]."
                )
            first, last = max(1, view_range[0]), view_range[1]
        shown = lines[first - 1 : None if last == -1 else last]
        return f"Here's the content of {_shown(place)} with line numbers:\n" + _numbered(
            shown, first
        )

    def create(self, path: object, file_text: object) -> str:
        """Make a file; none may be there."""
        place, text = _place(path), _text(file_text, "file_text")
        self._must_be_free(place)
        self._write(place, text)
        return f"File created successfully at: {_shown(place)}"

    def str_replace(self, path: object, old_str: object, new_str: object) -> str:
        """Replace a text that stands in a file exactly once."""
        place, old = _place(path), _text(old_str, "old_str")
        new = _text(new_str, "new_str")
        file = self._writable(place)
        count = file.text.count(old) if old else 0
        if count == 0:
            raise TreeError(
                f"No replacement was performed, old_str `{old}` did not appear verbatim in "
                f"{_shown(place)}."
            )
        if count > 1:
            at = [m.start() for m in re.finditer(re.escape(old), file.text)]
            lines = ", ".join(str(file.text.count("\n", 0, start) + 1) for start in at)
            raise TreeError(
                f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: "
                f"{lines}. Please ensure it is unique"
            )
        changed = file.text.count("\n", 0, file.text.find(old))
        text = file.text.replace(old, new)
        self._rewrite(file, text)
        first = max(0, changed - 2)
        return (
            "The memory file has been edited. Here is the snippet showing the change (with line "
            f"numbers):\n{_numbered(text.split(chr(10))[first : changed + 3], first + 1)}"
        )

    def insert(self, path: object, insert_line: object, insert_text: object) -> str:
        """Insert lines after a line; 0 is before the first."""
        place, new = _place(path), _text(insert_text, "insert_text")
        file = self._writable(place)
        lines = file.text.removesuffix("\n").split("\n") if file.text else []
        if not isinstance(insert_line, int) or not 0 <= insert_line <= len(lines):
            raise TreeError(
                f"Invalid `insert_line` parameter: {insert_line}. It should be within the range "
                f"[0, {len(lines)}]."
            )
        lines.insert(insert_line, new.rstrip("\n"))
        self._rewrite(file, "\n".join(lines) + "\n")
        return f"The file {_shown(place)} has been edited."

    def delete(self, path: object) -> str:
        """Erase a file or a folder for good."""
        place = _place(path)
        if not place or (len(place) == 1 and place[0] in FOLDERS):
            raise TreeError(f"Cannot delete the {_shown(place)} directory itself")
        if self._is_folder(place):
            inside = self._items.under(place)
            self._items.change((), [(item.path, item.key) for item in inside])
        else:
            self._erase(self._writable(place), keep_turns=False)
        return f"Successfully deleted {_shown(place)}"

    def rename(self, old_path: object, new_path: object) -> str:
        """Move a file or a folder to where nothing is."""
        old, new = _place(old_path), _place(new_path)
        if not old or (len(old) == 1 and old[0] in FOLDERS):
            raise TreeError(f"Cannot rename the {_shown(old)} directory itself")
        if new[: len(old)] == old:
            raise TreeError(f"{_shown(new)} lies in {_shown(old)} itself")
        self._must_be_free(new, f"The destination {_shown(new)}")
        if not self._is_folder(old):
            self._move(self._writable(old), new)
        elif new[0] in FOLDERS:
            raise TreeError(f"{ROOT}/{new[0]} holds no folders. Move the files one by one.")
        else:
            inside = self._items.under(old)
            self._items.change(
                [_new((*new, *i.path[len(old) :], i.key), str(i.value["text"])) for i in inside],
                [(item.path, item.key) for item in inside],
            )
        return f"Successfully renamed {_shown(old)} to {_shown(new)}"

    def clear(self) -> str:
        """Erase everything that is remembered of the user, files and all.

        Raises:
            InvalidInputError: no user is named.
        """
        self._memory.forget(everything=True)
        return "All memory cleared"

    # --- reading ------------------------------------------------------------------------------

    def _is_folder(self, place: Place) -> bool:
        if not place or (len(place) == 1 and place[0] in FOLDERS):
            return True
        return place[0] not in FOLDERS and bool(self._items.under(place))

    def _file(self, place: Place) -> _File:
        file = self._find(place)
        if file is None:
            raise TreeError(
                f"The path {_shown(place)} does not exist. Please provide a valid path."
            )
        return file

    def _find(self, place: Place) -> _File | None:
        if place == PROFILE:
            return _File(place, self._profile())
        if place[0] in FOLDERS:
            return self._find_memory(place)
        item = self._items.get(place[:-1], place[-1])
        return None if item is None else _File(place, str(item.value["text"]))

    def _find_memory(self, place: Place) -> _File | None:
        if len(place) != 2:
            return None
        kinds = {"kind": list(FOLDERS[place[0]])}
        found = list(self._memory.list(where={**kinds, "meta.file": place[1]}, limit=1).items)
        generated = _GENERATED.fullmatch(place[1])
        if not found and generated:
            ends = {"contains": generated.group(1)}
            near = self._memory.list(where={**kinds, "id": ends}, limit=LISTED).items
            found = [record for record in near if _name_of(record) == place[1]]
        return _File(place, found[0].text, found[0]) if found else None

    def _writable(self, place: Place) -> _File:
        if place == PROFILE:
            raise TreeError(
                f"{_shown(place)} is made of what is remembered and cannot be edited. Write a file "
                f"in {ROOT}/facts instead, or edit the one that says it."
            )
        if self._is_folder(place):
            raise TreeError(f"The path {_shown(place)} is not a file.")
        return self._file(place)

    def _profile(self) -> str:
        profile = self._memory.profile()
        lines = ["# Profile", ""]
        lines += [f"- {name}: {value}" for name, value in profile.permanent.items()]
        for field in profile.learned:
            since = f" (since {field.since.date().isoformat()})" if field.since else ""
            lines.append(f"- {field.attribute}: {field.value}{since}")
        return "\n".join(lines if len(lines) > 2 else [*lines, "Nothing is known for certain yet."])

    def _list(self, place: Place) -> str:
        lines = [f"{_size(0)}\t{_shown(place)}"]
        lines += (f"{_size(size)}\t{ROOT}/{name}" for name, size in self._entries(place))
        lines += self._left_out(place)
        head = "Here're the files and directories up to 2 levels deep in"
        return f"{head} {_shown(place)}, excluding hidden items:\n" + "\n".join(lines)

    def _entries(self, place: Place) -> Iterator[tuple[str, int]]:
        """The names below a folder in order, folders with a slash, and their sizes in bytes."""
        found: dict[str, int] = {}
        if not place:
            found["/".join(PROFILE)] = len(self._profile().encode())
        for folder, kinds in FOLDERS.items():
            if place not in ((), (folder,)):
                continue
            if not place:
                found[f"{folder}/"] = 0
            page = self._memory.list(where={"kind": list(kinds)}, limit=LISTED)
            for record in page.items:
                found[f"{folder}/{_name_of(record)}"] = len(record.text.encode())
        for item in self._items.under(place) if not place or place[0] not in FOLDERS else ():
            below = (*item.path, item.key)[len(place) :]
            if any(name.startswith(".") for name in below):
                continue
            for depth in range(1, min(len(below), _DEPTH + 1)):
                found["/".join((*place, *below[:depth])) + "/"] = 0
            if len(below) <= _DEPTH:
                found["/".join((*place, *below))] = len(str(item.value["text"]).encode())
        yield from sorted(found.items())

    def _left_out(self, place: Place) -> Iterator[str]:
        for folder, kinds in FOLDERS.items():
            if place in ((), (folder,)):
                total = self._memory.list(where={"kind": list(kinds)}, limit=1).total
                if total is not None and total > LISTED:
                    yield f"({total - LISTED} older files of {ROOT}/{folder} are not listed)"

    # --- writing ------------------------------------------------------------------------------

    def _must_be_free(self, place: Place, what: str = "") -> None:
        if not place or self._is_folder(place) or self._find(place) is not None:
            raise TreeError(f"{what or f'File {_shown(place)}'} already exists")
        if place[0] in FOLDERS and len(place) != 2:
            raise TreeError(f"{ROOT}/{place[0]} holds files only, no folders.")
        for depth in range(1, len(place)):
            if place[:depth] == PROFILE or (
                place[0] not in FOLDERS and self._items.get(place[: depth - 1], place[depth - 1])
            ):
                raise TreeError(f"{_shown(place[:depth])} is a file, not a folder.")

    def _write(self, place: Place, text: str) -> None:
        if place[0] not in FOLDERS:
            self._items.put(_new(place, text))
            return
        trust, source = whose_word(self._memory, text)
        outcome = self._memory.remember(
            text,
            kind=FOLDERS[place[0]][0],
            meta={"file": place[1]},
            trust=trust,
            source=source,
        ).outcomes[0]
        if outcome.memory_id is None:
            raise TreeError(f"It was not kept: {outcome.reason}.")
        if outcome.status == "merged":
            record = self._memory.get(outcome.memory_id)
            folder = next(name for name, kinds in FOLDERS.items() if record.kind in kinds)
            if folder != place[0] or "file" in record.meta:
                raise TreeError(
                    f"The same is already kept in {_shown((folder, _name_of(record)))}."
                )
            # It was learned elsewhere and has no name yet.
            self._memory.update(record.id, meta={**record.meta, "file": place[1]})

    def _rewrite(self, file: _File, text: str) -> None:
        if file.memory is None:
            self._items.put(_new(file.place, text))
        else:
            # It keeps its name, which may come from the words it had.
            meta = {**file.memory.meta, "file": file.place[1]}
            self._memory.update(file.memory.id, text=text, meta=meta)

    def _erase(self, file: _File, *, keep_turns: bool) -> None:
        if file.memory is None:
            self._items.remove(file.place[:-1], file.place[-1])
        else:
            self._memory.forget(ids=file.memory.id, keep_turns=keep_turns)

    def _move(self, file: _File, new: Place) -> None:
        if file.memory is None and new[0] not in FOLDERS:
            self._items.change([_new(new, file.text)], [(file.place[:-1], file.place[-1])])
        elif file.memory is not None and new[0] in FOLDERS:
            kind = file.memory.kind
            kinds = FOLDERS[new[0]]
            self._memory.update(
                file.memory.id,
                kind=kind if kind in kinds else kinds[0],
                meta={**file.memory.meta, "file": new[1]},
            )
        else:
            self._write(new, file.text)
            self._erase(file, keep_turns=True)


def _place(path: object) -> Place:
    """The labels of a path below /memories."""
    if not isinstance(path, str):
        raise TreeError(f"Path must start with {ROOT}, got: {path}")
    if path != ROOT and not path.startswith(ROOT + "/"):
        raise TreeError(f"Path must start with {ROOT}, got: {path}")
    labels = tuple(path.removeprefix(ROOT).strip("/").split("/"))
    if labels == ("",):
        return ()
    for label in labels:
        if unquote(label).strip() in ("", ".", "..") or "/" in unquote(label):
            raise TreeError(f"Path {path} would escape {ROOT} directory")
        if not _NAME.fullmatch(label):
            raise TreeError(f"Path {path} holds a name that is too long or has odd characters")
    return labels


def _text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise TreeError(f"`{name}` is missing or no text.")
    return value


def _new(place: Place, text: str) -> NewItem:
    return NewItem(path=place[:-1], key=place[-1], value={"text": text}, texts=[text])


def _name_of(record: MemoryRecord) -> str:
    """The name its file was given, or its first words and the end of its id."""
    given = record.meta.get("file")
    if isinstance(given, str):
        return given
    words = _NO_WORD.sub("-", record.text)[:_SLUG].strip("-")
    return f"{words}-{record.id[-_TAIL:]}.md" if words else f"{record.id[-_TAIL:]}.md"


def _shown(place: Place) -> str:
    return "/".join((ROOT, *place))


def _numbered(lines: Sequence[str], first: int) -> str:
    return "\n".join(f"{number:>{_WIDTH}}\t{line}" for number, line in enumerate(lines, first))


def _size(size: int) -> str:
    amount, unit = float(size), "B"
    for larger in ("K", "M", "G"):
        if amount < 1024:
            break
        amount, unit = amount / 1024, larger
    return f"{amount:.0f}{unit}" if amount == int(amount) else f"{amount:.1f}{unit}"
