"""`python -m bench.service`: two server processes, 200 clients, a minute, 100,000 memories.

Prints requests, errors and percentiles by verb beside those of the same mix in one process without
HTTP, and the memory of the server's processes over time. See README.md.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Annotated, Any

import httpx
import numpy as np
import typer

from bench.service.asking import Ask, Visitor
from bench.service.filling import fill
from bench.service.watching import Watch, processor_s, rss_mb, tree
from jiyi import Memory

_MAIN = "from jiyi.cli import main; main()"
_START_S = 60.0
_ALONE = 300  # requests of the comparison in one process
Times = dict[str, list[float]]


def main(  # noqa: PLR0917 - options of a command
    memories: Annotated[int, typer.Option(help="In the store, before it begins.")] = 100_000,
    users: Annotated[int, typer.Option(help="Over whom they are spread.")] = 200,
    clients: Annotated[int, typer.Option(help="At once, each with one request in hand.")] = 200,
    seconds: Annotated[float, typer.Option(help="How long.")] = 60.0,
    pause: Annotated[float, typer.Option(help="Seconds between two requests of a client.")] = 0.0,
    processes: Annotated[int, typer.Option(help="Of the server.")] = 2,
    out: Annotated[Path | None, typer.Option(help="Where the figures go, as JSON.")] = None,
) -> None:
    """Put the server under load on this machine."""
    with tempfile.TemporaryDirectory(prefix="jiyi-bench-") as folder:
        path = Path(folder) / "memory.db"
        names = fill(path, memories, users)
        print(f"{memories:,} memories of {users} users, {path.stat().st_size / 1e6:.0f} MB")
        alone = in_process(path, names)
        figures = under_load(path, names, clients, seconds, pause, processes)
    figures["in process"] = {verb: percentiles(times) for verb, times in alone.items()}
    show(figures)
    if out is not None:
        out.write_text(json.dumps(figures, indent=1), "utf-8")
    if figures["errors"]:
        raise typer.Exit(1)


def in_process(path: Path, names: list[str]) -> Times:
    """The same mix by one caller in one process, in seconds by verb."""
    times: Times = defaultdict(list)
    with Memory(path, embedder=None, background=False) as memory:
        visitors = [Visitor(name, seed) for seed, name in enumerate(names[:50])]
        for number in range(_ALONE):
            ask = visitors[number % len(visitors)].next()
            verb = getattr(memory, ask.verb)
            begun = time.perf_counter()
            verb(ask.text, user=ask.user)
            times[ask.verb].append(time.perf_counter() - begun)
    return times


def under_load(  # noqa: PLR0917 - one call
    path: Path, names: list[str], clients: int, seconds: float, pause: float, processes: int
) -> dict[str, Any]:
    """Start the server, let the clients at it, stop it."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    env = {
        **os.environ,
        "JIYI_DB": str(path),
        "JIYI_EMBEDDER": "none",
        "JIYI_SERVER_REQUESTS_PER_MINUTE": "0",
        "JIYI_SERVER_LOG_LEVEL": "warning",
    }
    command = [sys.executable, "-c", _MAIN, "serve", "--port", str(port)]
    server = subprocess.Popen([*command, "--processes", str(processes)], env=env)
    url = f"http://127.0.0.1:{port}"
    try:
        wait_for(url)
        watch = Watch(server.pid)
        before = rss_mb(tree(server.pid))
        served, asked = processor_s(tree(server.pid)), time.process_time()
        begun = time.monotonic()
        times, errors = asyncio.run(visit(url, names, clients, seconds, pause))
        took = time.monotonic() - begun
        served, asked = processor_s(tree(server.pid)) - served, time.process_time() - asked
        watch.stop()
        after = rss_mb(tree(server.pid))
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(60)
    done = sum(map(len, times.values()))
    half = len(watch.seen) // 2
    return {
        "clients": clients,
        "processes": processes,
        "seconds": round(took, 1),
        "requests": done,
        "per second": round(done / took, 1),
        "processor ms a request": {
            "server": round(served * 1000 / done, 1),
            "clients": round(asked * 1000 / done, 1),
        },
        "errors": dict(errors),
        "over HTTP": {verb: percentiles(each) for verb, each in sorted(times.items())},
        "rss MB": {
            "before": round(before),
            "half way": round(watch.seen[half][1]) if watch.seen else None,
            "after": round(after),
            "over time": [(round(at), round(size)) for at, size in watch.seen],
        },
    }


async def visit(
    url: str, names: list[str], clients: int, seconds: float, pause: float
) -> tuple[Times, Counter[str]]:
    """All clients at once until the time is over."""
    times: Times = defaultdict(list)
    errors: Counter[str] = Counter()
    end = time.monotonic() + seconds

    async def client(number: int) -> None:
        visitor = Visitor(names[number % len(names)], number)
        # A connection each: a pool of hundreds looks through all of them at every request.
        transport = httpx.AsyncHTTPTransport(verify=False)
        async with httpx.AsyncClient(base_url=url, transport=transport, timeout=60) as http:
            while time.monotonic() < end:
                ask = visitor.next()
                begun = time.perf_counter()
                try:
                    path, body = request_of(ask)
                    answer = await http.post(path, json=body)
                except httpx.TransportError as error:
                    errors[type(error).__name__] += 1
                    continue
                times[ask.verb].append(time.perf_counter() - begun)
                if not answer.is_success:
                    errors[f"{ask.verb} {answer.status_code}"] += 1
                await asyncio.sleep(pause)

    await asyncio.gather(*(client(number) for number in range(clients)))
    return times, errors


def request_of(ask: Ask) -> tuple[str, Any]:
    """Path and body of a request."""
    if ask.verb == "observe":
        return "/v1/turns", {"user": ask.user, "session": "load", "messages": ask.text}
    return f"/v1/{ask.verb}", {"user": ask.user, "query": ask.text}


def wait_for(url: str) -> None:
    """Until the server is ready."""
    end = time.monotonic() + _START_S
    while time.monotonic() < end:
        try:
            if httpx.get(f"{url}/readyz", timeout=5).is_success:
                return
        except httpx.TransportError:
            time.sleep(0.2)
    raise TimeoutError(url)


def percentiles(times: list[float]) -> dict[str, float]:
    """Milliseconds at 50, 95 and 99 percent, and how many."""
    p50, p95, p99 = (round(float(p) * 1000, 1) for p in np.percentile(times, (50, 95, 99)))
    return {"n": len(times), "p50": p50, "p95": p95, "p99": p99}


def show(figures: dict[str, Any]) -> None:
    """The figures for people."""
    print(
        f"{figures['requests']:,} requests by {figures['clients']} clients in "
        f"{figures['seconds']} s: {figures['per second']}/s, errors: {figures['errors'] or 'none'}"
    )
    spent = figures["processor ms a request"]
    print(f"processor a request: server {spent['server']} ms, clients {spent['clients']} ms")
    for place in ("over HTTP", "in process"):
        for verb, each in figures[place].items():
            print(
                f"{place:<11} {verb:<8} n {each['n']:>6}  p50 {each['p50']:>7} ms"
                f"  p95 {each['p95']:>7} ms  p99 {each['p99']:>7} ms"
            )
    rss = figures["rss MB"]
    print(f"memory: {rss['before']} MB before, {rss['half way']} half way, {rss['after']} after")


if __name__ == "__main__":
    typer.run(main)
