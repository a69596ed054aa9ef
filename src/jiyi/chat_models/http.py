"""One JSON request to a model server, and its failures as errors of ours."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Final

import httpx

from jiyi.errors import ModelError

_RETRYABLE: Final = frozenset({408, 409, 425, 429}) | frozenset(range(500, 600))
_EXPLAINED: Final = frozenset({401, 403, 404})


class RefusedError(ModelError):
    """The server understood the request and refused it. `status` is the HTTP status."""

    def __init__(self, message: str, *, status: int) -> None:
        self.status = status
        super().__init__(message, retryable=status in _RETRYABLE)


class JsonClient:
    """Posts JSON to one server. Thread-safe; a forked child opens its own connections.

    Args:
        name: the model's name, for error messages.
        headers: sent with every request.
        timeout_s: seconds until an answer that does not come counts as a failure.
    """

    def __init__(self, name: str, *, headers: Mapping[str, str], timeout_s: float) -> None:
        self._name = name
        self._headers = dict(headers)
        self._timeout = httpx.Timeout(timeout_s, connect=min(timeout_s, 10.0))
        self._client: httpx.Client | None = None
        self._pid = 0

    def post(self, url: str, payload: Mapping[str, Any]) -> Any:
        """The decoded answer.

        Raises:
            ModelError: retryable for time-outs, lost connections, overload and server faults.
        """
        try:
            response = self._open().post(url, json=payload)
        except httpx.TimeoutException as error:
            raise ModelError(f"{self._name}: no answer in time", retryable=True) from error
        except httpx.TransportError as error:
            message = f"{self._name}: cannot reach the server ({type(error).__name__})"
            raise ModelError(message, retryable=True) from error
        except httpx.InvalidURL as error:
            raise ModelError(f"{self._name}: not a URL: {url!r}") from error
        if response.status_code >= 300:
            raise RefusedError(self._refusal(response), status=response.status_code)
        try:
            return response.json()
        except ValueError as error:
            raise ModelError(f"{self._name}: the answer is not JSON", retryable=True) from error

    def close(self) -> None:
        """Close the connections; a later request opens new ones."""
        client, self._client = self._client, None
        if client is not None:
            client.close()

    def _open(self) -> httpx.Client:
        if self._client is None or self._pid != os.getpid():
            self._pid = os.getpid()
            self._client = httpx.Client(headers=self._headers, timeout=self._timeout)
        return self._client

    def _refusal(self, response: httpx.Response) -> str:
        """What the server says about it. Its words only where they speak of keys and names, since
        other messages may quote the conversation."""
        text = f"{self._name}: the server answered {response.status_code}"
        try:
            detail = response.json().get("error")
        except (ValueError, AttributeError):
            return text
        if isinstance(detail, Mapping):
            code = detail.get("code") or detail.get("type")
            if isinstance(code, (str, int)) and code != response.status_code:
                text += f" {code}"
            detail = detail.get("message")
        if isinstance(detail, str) and response.status_code in _EXPLAINED:
            text += f": {detail[:200]}"
        return text
