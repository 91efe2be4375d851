"""The error of a wrong argument or file; light, since every command module knows it."""

from __future__ import annotations


class BadInput(ValueError):  # noqa: N818 - named for what it is, as every error here
    """The input cannot be used; the message names every fault. Nothing was stored."""
