"""A copy of the session's cookies beside the profile, for the day the profile loses them.

Chromium writes its cookies late: those set within half a minute before a kill are gone after it
(browser-facts §1). The copy is written after each job, whole and synced, readable by its owner
only, in Playwright's storage-state form. It never leaves the machine and is never logged.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

SESSION_COOKIE = "auth_token"


def save(path: Path, cookies: list[dict[str, Any]]) -> bool:
    """Writes the copy; a session without its cookie is not worth keeping and is not written."""
    if not _has_session(cookies):
        return False
    temporary = path.with_suffix(".new")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump({"cookies": cookies, "origins": []}, file)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
    return True


def missing(path: Path, cookies: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The cookies to put back: those of the copy, when the profile has no session any more."""
    if _has_session(cookies) or not path.exists():
        return []
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))["cookies"]
    except (OSError, ValueError, KeyError, TypeError):
        return []  # a copy that cannot be read is no copy; the person signs in again
    return stored if isinstance(stored, list) else []


def _has_session(cookies: list[dict[str, Any]]) -> bool:
    return any(cookie.get("name") == SESSION_COOKIE for cookie in cookies)
