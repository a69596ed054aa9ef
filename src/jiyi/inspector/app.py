"""The application: addresses, cookies, and what every answer carries."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, cast
from urllib.parse import urlencode, urlsplit

import anyio.to_thread
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from jiyi.access import Admission, is_loopback
from jiyi.errors import (
    AccessError,
    ConfigurationError,
    ConflictError,
    InvalidInputError,
    JiyiError,
    NotFoundError,
    StoreError,
)
from jiyi.ids import read_clock
from jiyi.inspector.answer import Answer, Away, Page
from jiyi.inspector.language import preferred
from jiyi.inspector.rendering import STATIC, render
from jiyi.inspector.visit import Theme, Visit, form_token

if TYPE_CHECKING:
    from jiyi.access import Keyring
    from jiyi.memory import Memory
    from jiyi.text.language import Language

Handler = Callable[[Visit], Answer]

KEY: Final = "jiyi_key"
SEAL: Final = "jiyi_seal"
LANGUAGE: Final = "jiyi_language"
THEME: Final = "jiyi_theme"

_YEAR: Final = 365 * 24 * 3600
_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_STATIC_TYPES: Final = {
    "icon.svg": "image/svg+xml",
    "inspector.css": "text/css",
    "inspector.js": "text/javascript",
    "htmx.min.js": "text/javascript",
}


def inspector_app(memory: Memory, keyring: Keyring, *, root: str = "") -> Starlette:
    """The inspector as an ASGI application.

    Args:
        memory: gives the store and the clock.
        keyring: lets visitors in. Where it is open (no key was made, and only this machine can
            reach it) nobody has to log in.
        root: the path that it is mounted at, such as "/inspector"; "" for the top.
    """
    from jiyi.inspector.routes import GETS, POSTS

    door = _Door(memory, keyring, root)
    routes = [
        Route("/static/{name}", _static),
        Route("/login", door.login, methods=["GET", "POST"]),
        Route("/logout", door.logout, methods=["POST"]),
        Route("/preferences", door.preferences),
        *(Route(path, door.answering(handler)) for path, handler in GETS.items()),
        *(
            Route(path, door.answering(handler, posts=True), methods=["POST"])
            for path, handler in POSTS.items()
        ),
        Route("/{rest:path}", door.answering(_nowhere)),
    ]
    return Starlette(routes=routes)


class _Door:
    """Turns requests into visits, and answers into responses."""

    def __init__(self, memory: Memory, keyring: Keyring, root: str) -> None:
        self._memory = memory
        self._keyring = keyring
        self._root = root

    def answering(self, handler: Handler, *, posts: bool = False) -> Callable[[Request], object]:
        """An endpoint around a page."""

        async def endpoint(request: Request) -> Response:
            form = await _form(request) if posts else {}
            return await anyio.to_thread.run_sync(self._answer, request, handler, form)

        return endpoint

    def _answer(self, request: Request, handler: Handler, form: dict[str, str]) -> Response:
        try:
            admission = self._admit(request)
        except AccessError:
            return self._away(request, self._login_address(request))
        except StoreError as error:
            return self._respond(request, self._stranger(request, form), _failure(error))
        request.state.admission = admission  # for the log of whatever stands around
        visit = self._visit(request, admission, form)
        try:
            if request.method == "POST":
                _check_form(request, visit)
            answer = handler(visit)
        except JiyiError as error:
            answer = _failure(error)
        return self._respond(request, visit, answer)

    def _respond(self, request: Request, visit: Visit, answer: Answer) -> Response:
        if isinstance(answer, Away):
            return self._away(request, answer.address)
        part = answer.part if request.headers.get("HX-Target") == answer.part else None
        response: Response = HTMLResponse(
            render(answer, visit, part=part), answer.status, headers=_HEADERS
        )
        response.headers["Vary"] = "HX-Target, Cookie, Accept-Language"
        if request.cookies.get(SEAL) != visit.seal:
            self._keep(request, response, SEAL, visit.seal)
        return response

    def _admit(self, request: Request) -> Admission:
        admission = self._keyring.admit(request.cookies.get(KEY) or None)
        if admission.key is None and not is_loopback(request.url.hostname or ""):
            # A page elsewhere could point its own name at this machine (DNS rebinding).
            raise AccessError("without a key only this machine is let in", known=False)
        return admission

    def _stranger(self, request: Request, form: dict[str, str]) -> Visit:
        """A visit of somebody who is not let in; its pages show nothing of the memory."""
        return self._visit(request, Admission(None, self._memory), form)

    def _visit(self, request: Request, admission: Admission, form: dict[str, str]) -> Visit:
        language = request.cookies.get(LANGUAGE)
        if language not in ("zh", "en"):
            language = preferred(request.headers.get("Accept-Language", ""))
        theme = request.cookies.get(THEME)
        seal = request.cookies.get(SEAL, "")
        return Visit(
            admission=admission,
            store=self._memory.store,
            now=read_clock(self._memory.clock),
            language=cast("Language", language),
            theme=cast("Theme", theme) if theme in ("light", "dark") else "auto",
            seal=seal if len(seal) >= 32 else secrets.token_urlsafe(32),
            address=request.url.path + (f"?{request.url.query}" if request.url.query else ""),
            root=self._root,
            query=dict(request.query_params),
            form=form,
            path={name: str(value) for name, value in request.path_params.items()},
        )

    # --- who it is ------------------------------------------------------------------------------

    async def login(self, request: Request) -> Response:
        """The form for a key, and what it sends."""
        form = await _form(request) if request.method == "POST" else {}
        return await anyio.to_thread.run_sync(self._log_in, request, form)

    def _log_in(self, request: Request, form: dict[str, str]) -> Response:
        visit = self._stranger(request, form)
        back = _own_address(form.get("back") or visit.query.get("back"), self._root)
        wrong = None
        if request.method == "POST":
            try:
                _check_form(request, visit)
                token = form.get("key", "").strip()
                self._keyring.admit(token or None)
            except AccessError as error:
                # Known is who was let in before: then it is the form that does not fit.
                wrong = "form" if error.known else "key"
            except StoreError as error:
                return self._respond(request, visit, _failure(error))
            else:
                response = self._away(request, back)
                self._keep(request, response, KEY, token, secret=True)
                return response
        page = Page("login.html", {"back": back, "wrong": wrong}, 200 if wrong is None else 403)
        return self._respond(request, visit, page)

    async def logout(self, request: Request) -> Response:
        """Forget the key in this browser."""
        form = await _form(request)
        try:
            _check_seal(request.cookies.get(SEAL, ""), form)
        except AccessError:
            return self._away(request, f"{self._root}/")
        response = self._away(request, f"{self._root}/login")
        response.delete_cookie(KEY, path=self._root or "/")
        return response

    async def preferences(self, request: Request) -> Response:
        """Language and theme, kept in the browser; then back to the page."""
        response = self._away(request, _own_address(request.query_params.get("back"), self._root))
        language, theme = (request.query_params.get(name) for name in ("language", "theme"))
        if language in ("zh", "en"):
            self._keep(request, response, LANGUAGE, language)
        if theme in ("light", "dark", "auto"):
            self._keep(request, response, THEME, theme)
        return response

    def _keep(
        self, request: Request, response: Response, name: str, value: str, *, secret: bool = False
    ) -> None:
        response.set_cookie(
            name,
            value,
            max_age=None if secret else _YEAR,  # the key is gone when the browser is closed
            path=self._root or "/",
            secure=request.url.scheme == "https",
            httponly=True,
            samesite="strict",
        )

    def _away(self, request: Request, address: str) -> Response:
        if "HX-Request" in request.headers:
            return Response(headers={**_HEADERS, "HX-Redirect": address})
        return RedirectResponse(address, 303, headers=_HEADERS)

    def _login_address(self, request: Request) -> str:
        path = request.url.path if request.method == "GET" else f"{self._root}/"
        query = f"?{request.url.query}" if request.url.query and request.method == "GET" else ""
        return f"{self._root}/login?{urlencode({'back': path + query})}"


async def _static(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in _STATIC_TYPES:
        return Response(status_code=404)
    headers = {"X-Content-Type-Options": "nosniff", "Cache-Control": "max-age=3600"}
    return FileResponse(STATIC / name, media_type=_STATIC_TYPES[name], headers=headers)


async def _form(request: Request) -> dict[str, str]:
    async with request.form(max_files=0, max_fields=100) as sent:
        # Browsers send the lines of a text area with both signs, whatever was in it before.
        return {
            name: value.replace("\r\n", "\n")
            for name, value in sent.items()
            if isinstance(value, str)
        }


def _check_form(request: Request, visit: Visit) -> None:
    """A form is ours when it carries what only our pages know.

    Raises:
        AccessError: it comes from elsewhere, or the cookie is gone.
    """
    site = request.headers.get("Sec-Fetch-Site")
    if site not in (None, "same-origin", "none"):
        raise AccessError("this form was sent by another site", known=True)
    _check_seal(request.cookies.get(SEAL, ""), visit.form)


def _check_seal(seal: str, form: dict[str, str] | object) -> None:
    sent = form.get("form_token", "") if isinstance(form, dict) else ""
    if not seal or not hmac.compare_digest(sent.encode(), form_token(seal).encode()):
        raise AccessError("this form is too old. Load the page again and repeat it", known=True)


def _own_address(address: str | None, root: str) -> str:
    """An address of ours, never of another site."""
    home = f"{root}/"
    if address is None or not address.startswith(home) or "\\" in address:
        return home
    parts = urlsplit(address)
    return home if parts.scheme or parts.netloc or address.startswith("//") else address


def _nowhere(visit: Visit) -> Answer:
    del visit
    return Page("failure.html", {"kind": "nowhere", "error": None}, 404)


def _failure(error: JiyiError) -> Page:
    if isinstance(error, NotFoundError):
        status, kind = 404, "missing"
    elif isinstance(error, AccessError):
        status, kind = 403, "access"
    elif isinstance(error, (InvalidInputError, ConflictError)):
        status, kind = (422 if isinstance(error, InvalidInputError) else 409), "input"
    elif isinstance(error, ConfigurationError):
        status, kind = 409, "input"
    else:
        status, kind = 503, "store"
    return Page("failure.html", {"kind": kind, "error": error}, status)
