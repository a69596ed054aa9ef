"""Requests to a model server: where to post, one JSON exchange, and its failures as our errors."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any, Final

import httpx

from jiyi.errors import ConfigurationError, ModelError

_RETRYABLE: Final = frozenset({408, 409, 425, 429}) | frozenset(range(500, 600))
_EXPLAINED: Final = frozenset({401, 403, 404})
_VERSION: Final = re.compile(r"/v\d\w*(?=/|$)")


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

    def post_first(self, urls: tuple[str, ...], payload: Mapping[str, Any]) -> tuple[str, Any]:
        """The first of some addresses that exists, and its answer (see `endpoints`).

        Raises:
            ModelError: as `post`.
        """
        for url in urls[:-1]:
            try:
                return url, self.post(url, payload)
            except RefusedError as error:
                if error.status not in (404, 405):
                    raise
        return urls[-1], self.post(urls[-1], payload)

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


def checked_base(base_url: str) -> str:
    """A server's address without a slash at its end.

    Raises:
        ConfigurationError: it is no http address.
    """
    base = base_url.strip().rstrip("/")
    if not base.startswith(("http://", "https://")):
        raise ConfigurationError(f"base_url {base_url!r} must begin with http:// or https://")
    return base


def endpoints(base_url: str, path: str) -> tuple[str, ...]:
    """Where to post for `path`: under the address as given when it names a version (`…/v1`), else
    under `/v1` first and then as given. An address that already ends in `path` is understood.

    Raises:
        ConfigurationError: it is no http address.
    """
    base = checked_base(checked_base(base_url).removesuffix(f"/{path}"))
    if _VERSION.search(base.partition("://")[2]):
        return (f"{base}/{path}",)
    return (f"{base}/v1/{path}", f"{base}/{path}")


def ollama_base(base_url: str) -> str:
    """The address of an Ollama server, given with or without `/api` or `/v1`.

    Raises:
        ConfigurationError: it is no http address.
    """
    return checked_base(checked_base(base_url).removesuffix("/v1").removesuffix("/api"))
