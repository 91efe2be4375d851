"""Making an empty database: file, tables, triggers, the head of the history, the stamp.

All of it is one transaction, so that an interrupted `init` leaves an empty file and never half a
schema. A migrated database is equal to one made here; a test compares them.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlmodel import SQLModel

from agent.store import audit, doubt_tables, opening, triggers
from agent.store.engine import open_engine, transaction

if TYPE_CHECKING:
    from sqlalchemy import Connection

TABLES: Final = (doubt_tables.LOOK,)  # named, so that they are known before anything is made
MIGRATIONS: Final = Path(__file__).parent / "migrations"


def create(path: Path, *, busy_timeout_ms: int) -> None:
    """Make an empty database where there is none.

    Raises:
        StoreRefused: something is there already, or the folder cannot be written.
    """
    opening.create_file(path)
    engine = open_engine(path, busy_timeout_ms=busy_timeout_ms)
    try:
        with transaction(engine, path=path, is_write=True) as connection:
            SQLModel.metadata.create_all(connection, checkfirst=False)
            _complete(connection)
            _stamp_revision(connection)
    finally:
        engine.dispose()


def migrate(path: Path, *, busy_timeout_ms: int) -> None:
    """Bring a database of any earlier schema, or an empty file, to the newest, step by step."""
    engine = open_engine(path, busy_timeout_ms=busy_timeout_ms)
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    try:
        with transaction(engine, path=path, is_write=True) as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
            opening.stamp(_driver_connection(connection))
    finally:
        engine.dispose()


def _complete(connection: Connection) -> None:
    """Add to fresh tables what is not a table: triggers, the head of the history, the stamp."""
    for statement in triggers.statements():
        connection.exec_driver_sql(statement)
    audit.begin_history(connection)
    opening.stamp(_driver_connection(connection))


def _stamp_revision(connection: Connection) -> None:
    MigrationContext.configure(connection).stamp(ScriptDirectory(str(MIGRATIONS)), "head")


def _driver_connection(connection: Connection) -> Any:  # noqa: ANN401 - the driver's own type
    return connection.connection.driver_connection
