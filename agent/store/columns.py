"""The types of columns: instants as whole milliseconds, flags and words held by the database.

The tables are STRICT on SQLite, so that a text never lands in a column of numbers; the same
columns are BIGINT, BOOLEAN and TEXT on PostgreSQL.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Integer, Text, TypeDecorator

from agent.domain.clock import from_epoch_ms, to_epoch_ms

if TYPE_CHECKING:
    from sqlalchemy import Dialect

WHOLE = BigInteger().with_variant(Integer(), "sqlite")


class EpochMs(TypeDecorator[datetime]):
    """An aware UTC instant, kept as milliseconds since 1970; a naive one is refused."""

    impl = WHOLE
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        """Turn an instant into what is kept."""
        del dialect
        return None if value is None else to_epoch_ms(value)

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:
        """Turn what is kept into an instant."""
        del dialect
        return None if value is None else from_epoch_ms(value)


class Flag(TypeDecorator[bool]):
    """True or false; 1 or 0 in SQLite, whose strict tables know no boolean."""

    impl = Boolean().with_variant(Integer(), "sqlite")
    cache_ok = True

    def process_bind_param(self, value: bool | None, dialect: Dialect) -> bool | None:  # noqa: FBT001 - SQLAlchemy's own signature
        """Turn a flag into what is kept."""
        del dialect
        return value

    def process_result_value(self, value: int | None, dialect: Dialect) -> bool | None:
        """Turn what is kept into a flag."""
        del dialect
        return None if value is None else bool(value)


def key() -> Column[Any]:
    """Return the column of a row's own id."""
    return Column(Text, primary_key=True)


def word(*, optional: bool = False) -> Column[Any]:
    """Return a column of text."""
    return Column(Text, nullable=optional)


def number(*, optional: bool = False, primary_key: bool = False) -> Column[Any]:
    """Return a column of whole numbers, never numbered by the database."""
    return Column(WHOLE, nullable=optional, primary_key=primary_key, autoincrement=False)


def instant(*, optional: bool = False) -> Column[Any]:
    """Return a column of instants."""
    return Column(EpochMs, nullable=optional)


def flag() -> Column[Any]:
    """Return a column of true or false."""
    return Column(Flag, nullable=False)


def refers_to(target: str, *, optional: bool = False, primary_key: bool = False) -> Column[Any]:
    """Return a column that names a row of another table."""
    return Column(Text, ForeignKey(target), nullable=optional, primary_key=primary_key)
