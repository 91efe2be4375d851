"""What an exit code means, and which error ends in which code. DESIGN: the faces.

The table is the only place where errors meet exit codes. Errors are imported when one is at hand,
so that `--help` and `list` stay quick.
"""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """The exit codes. Scripts may rely on them."""

    DONE = 0
    BAD_INPUT = 2
    KEY_CONFLICT = 3
    UNKNOWN = 4
    NEEDS_PERSON = 5
    NOT_SENT = 6
    STORE_REFUSED = 7
    ACCOUNT_NEEDS_PERSON = 8
    NO_BROWSER = 9


MEANING = {
    Exit.DONE: "done",
    Exit.BAD_INPUT: "bad input: a wrong argument, file or setting; nothing was stored",
    Exit.KEY_CONFLICT: "key conflict: the key or the intent exists with other content",
    Exit.UNKNOWN: "unknown: at least one post may or may not be out; it is not sent again",
    Exit.NEEDS_PERSON: "a person has to decide about at least one post",
    Exit.NOT_SENT: "not sent, proven, and no further try is made",
    Exit.STORE_REFUSED: "the store was refused: missing, damaged, in use, or of another program",
    Exit.ACCOUNT_NEEDS_PERSON: "an account needs a person: signed out, locked, paused",
    Exit.NO_BROWSER: "no browser could be found or started",
}
