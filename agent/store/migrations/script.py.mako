"""${message}.

Revision: ${up_revision}, after ${down_revision or "nothing"}.
"""

from __future__ import annotations

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}


def upgrade() -> None:
    """Go to this schema."""
    ${upgrades or "raise NotImplementedError"}
