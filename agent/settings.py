"""The settings of a workspace: one model, read from `postproof.toml` and the environment.

An unknown key is an error that names the nearest known one. Secrets come from the environment
only. `doctor` prints every value in force and where it came from. Called by the command line;
nothing below it reads a file or a variable by itself.
"""

from __future__ import annotations

import difflib
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any
from zoneinfo import ZoneInfo, available_timezones

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
)
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)
from pydantic_settings import SettingsError as PydanticSettingsError

from agent.domain.policy import DEFAULT_POLICY, Policy

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


def _ascending(times_s: tuple[int, ...]) -> tuple[int, ...]:
    if list(times_s) != sorted(set(times_s)):
        raise ValueError("the times must ascend, each only once")
    return times_s


Seconds = Annotated[int, Field(ge=0, le=30 * 86_400)]
Times = Annotated[
    tuple[Seconds, ...], Field(min_length=1, max_length=20), AfterValidator(_ascending)
]


class LooksSection(_Section):
    """When a doubt is looked at, and what was confirmed is read again. Defaults: the policy's."""

    after_s: Times = Field(
        default=DEFAULT_POLICY.look_after_s,
        description="When to look for a job in doubt, in seconds after its click.",
    )
    gap_s_min: Seconds = Field(
        default=DEFAULT_POLICY.look_gap_s_min,
        description="Two scheduled looks lie at least so far apart.",
    )
    again_s: Seconds = Field(
        default=DEFAULT_POLICY.look_again_s,
        description="The wait for another look when the schedule is over and more are needed.",
    )
    span_s_min: Seconds = Field(
        default=DEFAULT_POLICY.look_span_s_min,
        description="Absent looks span at least so long before a person is asked.",
    )
    quarantine_s: Seconds = Field(
        default=DEFAULT_POLICY.quarantine_s,
        description=(
            "A person may rule a post absent only so long after the click. X has shown posts ten "
            "minutes late: a shorter time may cost a second post."
        ),
    )
    read_back_after_s: Times = Field(
        default=DEFAULT_POLICY.read_back_after_s,
        description="When the page of a confirmed post is read that could not be read before.",
    )
    watch_after_s: Times = Field(
        default=DEFAULT_POLICY.watch_after_s,
        description="When a confirmed post is read again, to see that it is still there.",
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
    looks: LooksSection = Field(default_factory=LooksSection)

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

    @property
    def policy(self) -> Policy:
        """The ledger's bounds with what is set here."""
        return replace(
            DEFAULT_POLICY,
            look_after_s=self.looks.after_s,
            look_gap_s_min=self.looks.gap_s_min,
            look_again_s=self.looks.again_s,
            look_span_s_min=self.looks.span_s_min,
            quarantine_s=self.looks.quarantine_s,
            read_back_after_s=self.looks.read_back_after_s,
            watch_after_s=self.looks.watch_after_s,
        )


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
            message = item["msg"].removeprefix("Value error, ")
            sentences.append(f"setting {key!r} ({SETTINGS_FILE} or environment): {message}.")
    return " ".join(sentences)
