"""Any server that speaks OpenAI's chat completions: OpenAI, DeepSeek, Qwen, vLLM, llama.cpp, …"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from jiyi.errors import ConfigurationError, ModelError
from jiyi.model_server import JsonClient, RefusedError, endpoints

_Mode = Literal["json_schema", "json_object", "plain"]
_MODES: Final[tuple[_Mode, ...]] = ("json_schema", "json_object", "plain")
_REFUSES_MODE: Final = frozenset({400, 422})


class OpenAICompatibleChatModel:
    """A chat model behind an OpenAI-compatible endpoint. Nothing is sent before `complete`.

    Args:
        model: the model's name at that server.
        base_url: with or without `/v1` (or another version) at its end.
        api_key: sent as a bearer token; None sends none.
        timeout_s: seconds until an answer that does not come counts as a failure.
        max_tokens: bound of the reply; None leaves it to the server.
        temperature: None leaves it to the server (some models refuse any).
        headers: sent with every request, such as an organisation.

    Raises:
        ConfigurationError: no model is named.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str = "https://api.openai.com/v1",
        api_key: str | None = None,
        timeout_s: float = 120.0,
        max_tokens: int | None = None,
        temperature: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        if not model:
            raise ConfigurationError("name a model, such as 'openai:gpt-4o-mini'")
        self.name = f"openai:{model}"
        self._model = model
        self._urls = endpoints(base_url, "chat/completions")
        self._max_tokens = max_tokens
        self._temperature = temperature
        self._mode: _Mode = "json_schema"
        key = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._client = JsonClient(
            self.name, headers={**key, **(headers or {})}, timeout_s=timeout_s
        )

    def complete(
        self, messages: Sequence[Mapping[str, str]], *, schema: Mapping[str, Any] | None = None
    ) -> str:
        """The reply's text; empty when the model only thought or refused.

        With a `schema` the server is asked for it; where it cannot, for JSON, else for text, and
        what it can is remembered.

        Raises:
            ModelError: retryable for overload, time-outs, lost connections and server faults.
        """
        payload: dict[str, Any] = {"model": self._model, "messages": [dict(m) for m in messages]}
        if self._max_tokens is not None:
            payload["max_tokens"] = self._max_tokens
        if self._temperature is not None:
            payload["temperature"] = self._temperature
        if schema is None:
            return self._text(self._post(payload))
        for mode in _MODES[_MODES.index(self._mode) :]:
            try:
                answer = self._post({**payload, **_response_format(mode, schema)})
            except RefusedError as error:
                if error.status not in _REFUSES_MODE or mode == "plain":
                    raise
                continue
            self._mode = mode
            return self._text(answer)
        raise AssertionError("unreachable")

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _post(self, payload: Mapping[str, Any]) -> Any:
        url, answer = self._client.post_first(self._urls, payload)
        self._urls = (url,)
        return answer

    def _text(self, answer: Any) -> str:
        try:
            content = answer["choices"][0]["message"].get("content")
        except (KeyError, IndexError, TypeError, AttributeError) as error:
            raise ModelError(f"{self.name}: the answer is no chat completion") from error
        if isinstance(content, list):
            parts = (part.get("text") for part in content if isinstance(part, Mapping))
            content = "".join(part for part in parts if isinstance(part, str))
        return content if isinstance(content, str) else ""


def _response_format(mode: _Mode, schema: Mapping[str, Any]) -> dict[str, Any]:
    if mode == "plain":
        return {}
    if mode == "json_object":
        return {"response_format": {"type": "json_object"}}
    body = {"name": "reply", "schema": dict(schema), "strict": True}
    return {"response_format": {"type": "json_schema", "json_schema": body}}
