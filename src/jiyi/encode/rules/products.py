"""What is a product: a name with a capital, a digit, Latin letters in Chinese, or a known one."""

from __future__ import annotations

import re
from typing import Final


def is_product(text: str) -> bool:
    """A product has a capital, a digit or Latin letters among Chinese: "use Vim", 用 Vue 2."""
    if re.fullmatch(r"[a-z][a-z.+#-]{1,24}", text) and text in PRODUCTS:
        return True
    return bool(
        re.search(r"[A-Z0-9]", text)
        or (re.search(r"[\u4e00-\u9fff]", text) is None and text.islower() and text in PRODUCTS)
    ) or bool(re.search(r"[a-z]{2,}", text) and re.search(r"[\u4e00-\u9fff]", text))


PRODUCTS: Final = frozenset(
    re.findall(
        r"\S+",
        "python rust go java kotlin swift typescript javascript ruby php scala julia perl "
        "lua elixir haskell vim neovim emacs git docker kubernetes terraform ansible "
        "postgres postgresql mysql sqlite redis mongodb kafka rabbitmq nginx django flask "
        "fastapi rails react vue angular svelte pytorch tensorflow pandas numpy linux ubuntu "
        "debian fedora arch windows macos chrome firefox safari slack notion obsidian figma "
        "jira excel latex markdown bash zsh fish tmux pytest poetry uv ruff black npm pnpm "
        "yarn bun vite webpack trello asana airtable clickup miro canva photoshop lightroom "
        "overleaf grafana prometheus jenkins bazel gradle maven zotero evernote onenote todoist",
    )
)
