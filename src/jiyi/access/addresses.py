"""Which addresses are this machine itself."""

from __future__ import annotations

from ipaddress import ip_address


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a host of that name or address."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
