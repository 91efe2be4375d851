"""The settings of a workspace: one model, read from `postproof.toml` and the environment.

An unknown key is an error that names the nearest known one. Secrets come from the environment
only. `doctor` prints every value in force and where it came from. Called by the command line;
nothing below it reads a file or a variable by itself.
"""

from __future__ import annotations

import difflib
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)
from pydantic_settings import SettingsError as PydanticSettingsError

SETTINGS_FILE = "postproof.toml"
ENVIRONMENT_PREFIX = "POSTPROOF_"


class SettingsError(ValueError):
    """The settings cannot be used; the message says which key and what to write instead."""


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class BrowserSection(_Section):
    """Which browser is started and how."""

    executable: Path | None = Field(
        default=None,
        description="The browser's program. Empty: an installed Chrome or Chromium is found.",
    )
    extra_args: tuple[str, ...] = Field(
        default=(), description="Further command-line flags for the browser."
    )
    locale: str = Field(
        default="en-US", description="The language the browser asks for; pinned per workspace."
    )
    idle_close_s: float = Field(
        default=60.0,
        ge=0,
        le=3600,
        description="A profile without work is closed after this many seconds.",
    )


class GateSection(_Section):
    """Where the gate connects to."""

    hosts: dict[str, str] = Field(
        default_factory=dict,
        description=(
            "Host map: a host or `*.suffix` or `*` to `address:port`, or to `refuse`. "
            "Empty: every host is reached by its own name."
        ),
    )


class RunSection(_Section):
    """How the daemon works."""

    parallel_accounts_max: int = Field(
        default=2, ge=1, le=16, description="How many accounts work at the same time."
    )
    sweep_every_s: float = Field(
        default=30.0, ge=0.2, le=3600, description="How often lapsed leases are looked for."
    )


class Settings(BaseSettings):
    """Everything that can be set. Each field's description is its documentation."""

    model_config = SettingsConfigDict(
        extra="forbid",
        frozen=True,
        env_prefix=ENVIRONMENT_PREFIX,
        env_nested_delimiter="__",
        env_ignore_empty=True,
    )

    zone: str = Field(
        default="UTC", description="IANA zone in which `--at` without an offset is read."
    )
    browser: BrowserSection = Field(default_factory=BrowserSection)
    gate: GateSection = Field(default_factory=GateSection)
    run: RunSection = Field(default_factory=RunSection)

    @field_validator("zone")
    @classmethod
    def _zone_is_known(cls, value: str) -> str:
        if value not in available_timezones():
            near = difflib.get_close_matches(value, available_timezones(), n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise ValueError(f"{value!r} is not an IANA time zone{hint}")
        return value

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],  # noqa: ARG003 - the library's signature
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - not a source of ours
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - as above
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The environment before the file; no other source."""
        return env_settings, init_settings

    @property
    def zone_info(self) -> ZoneInfo:
        """The zone as the standard library's object."""
        return ZoneInfo(self.zone)


@dataclass(frozen=True, kw_only=True)
class Setting:
    """One value in force: its dotted key, its value as text, and where it came from."""

    key: str
    value: str
    origin: str
    meaning: str


def load(workspace: Path) -> Settings:
    """Reads the settings of a workspace; the environment wins over the file.

    Args:
        workspace: The folder; a missing `postproof.toml` means all defaults.

    Raises:
        SettingsError: A file that is not TOML, an unknown key, a wrong value.
    """
    try:
        return Settings(**_from_file(workspace))
    except ValidationError as error:
        raise SettingsError(_explain(error)) from error
    except PydanticSettingsError as error:
        raise SettingsError(f"{ENVIRONMENT_PREFIX}...: {error}. Correct the variable.") from error


def in_force(workspace: Path) -> list[Setting]:
    """Lists every setting with its value and origin, in the order of the model."""
    settings = load(workspace)
    in_file = _flat(_from_file(workspace))
    in_environment = _flat(EnvSettingsSource(Settings)())
    rows = []
    for key, meaning, value in _walk(settings):
        origin = SETTINGS_FILE if key in in_file else "default"
        origin = "environment" if key in in_environment else origin
        rows.append(Setting(key=key, value=str(value), origin=origin, meaning=meaning))
    return rows


def _from_file(workspace: Path) -> dict[str, Any]:
    try:
        return TomlConfigSettingsSource(Settings, workspace / SETTINGS_FILE)()
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(
            f"{SETTINGS_FILE} is not valid TOML: {error}. Mend it first."
        ) from error


def _walk(section: BaseModel, prefix: str = "") -> list[tuple[str, str, object]]:
    rows: list[tuple[str, str, object]] = []
    for name, field in type(section).model_fields.items():
        value = getattr(section, name)
        if isinstance(value, BaseModel):
            rows += _walk(value, f"{prefix}{name}.")
        else:
            rows.append((f"{prefix}{name}", field.description or "", value))
    return rows


def _flat(values: dict[str, Any], prefix: str = "") -> set[str]:
    keys: set[str] = set()
    for name, value in values.items():
        keys.add(f"{prefix}{name}")
        if isinstance(value, dict):
            keys |= _flat(value, f"{prefix}{name}.")
    return keys


def _explain(error: ValidationError) -> str:
    sentences = []
    for item in error.errors():
        key = ".".join(str(part) for part in item["loc"])
        if item["type"] == "extra_forbidden":
            known = [row[0] for row in _walk(Settings())]
            near = difflib.get_close_matches(key, known, n=1, cutoff=0.4)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            sentences.append(f"{SETTINGS_FILE}: unknown setting {key!r}.{hint}")
        else:
            sentences.append(
                f"{SETTINGS_FILE}: {key}: {item['msg'].removeprefix('Value error, ')}."
            )
    return " ".join(sentences)
