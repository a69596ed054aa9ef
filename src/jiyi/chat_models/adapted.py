"""Any LangChain chat model as a chat model of ours; LangChain itself is not imported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jiyi.errors import ConfigurationError, JiyiError, ModelError


class AdaptedChatModel:
    """Asks an object that has `invoke(messages)`, as every LangChain chat model does.

    Args:
        model: takes a list of (role, text) pairs and returns a text or an object with `content`.
        name: for messages and the audit; without it, the class and its `model` or `model_name`.

    Raises:
        ConfigurationError: it has no `invoke`.
    """

    def __init__(self, model: Any, *, name: str | None = None) -> None:
        if not callable(getattr(model, "invoke", None)):
            raise ConfigurationError(f"{type(model).__name__} has no method 'invoke'")
        self._model = model
        called = getattr(model, "model_name", None) or getattr(model, "model", None)
        self.name = name or ":".join(
            p for p in (type(model).__name__, called) if isinstance(p, str)
        )

    def complete(
        self,
        messages: Sequence[Mapping[str, str]],
        *,
        schema: Mapping[str, Any] | None = None,  # noqa: ARG002 told in the prompt; not every model binds one
    ) -> str:
        """The reply's text.

        Raises:
            ModelError: whatever the model raised; retryable, since it does not say.
        """
        pairs = [(message["role"], message["content"]) for message in messages]
        try:
            answer = self._model.invoke(pairs)
        except JiyiError:
            raise
        except Exception as error:
            kind = type(error).__name__
            raise ModelError(f"{self.name} failed ({kind})", retryable=True) from error
        content = getattr(answer, "content", answer)
        if isinstance(content, list):
            parts = (p.get("text") if isinstance(p, Mapping) else p for p in content)
            return "".join(part for part in parts if isinstance(part, str))
        return content if isinstance(content, str) else ""
