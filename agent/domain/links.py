"""One spelling for the many ways to write a link, to tell whether two links mean one article.

The canonical form is for comparing and for the digest only; the final link, as it is posted, is
kept beside it untouched. Http and https of one address are one article, and so are its `www`,
mobile and AMP hosts. Nothing is fetched.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final
from urllib.parse import SplitResult, quote, urlsplit

import idna

LINK_LENGTH_MAX: Final = 4096  # Assumption: longer ones are mistakes; browsers stop near there

# Parameters that say where a reader came from, never which article it is.
# Source: the vendors' manuals; pain-points F3, F4, F11.
TRACKING_PREFIXES: Final = ("utm_", "hsa_", "mtm_", "piwik_", "matomo_")
TRACKING_NAMES: Final = frozenset(
    {"fbclid", "gclid", "gclsrc", "dclid", "gbraid", "wbraid", "_ga", "_gl", "srsltid"}
    | {"msclkid", "twclid", "ttclid", "yclid", "ysclid", "_openstat", "igshid", "igsh"}
    | {"li_fat_id", "epik", "s_kwcid", "s_cid", "wickedid", "rb_clickid", "mc_cid", "mc_eid"}
    | {"mkt_tok", "vero_id", "vero_conv", "oly_enc_id", "oly_anon_id", "_hsenc", "_hsmi"}
    | {"__hssc", "__hstc", "__hsfp", "hsctatracking", "ref_src", "ref_url", "__twitter_impression"}
    | {"pk_campaign", "pk_kwd", "pk_source", "pk_medium", "pk_content"}
)
DOOR_LABELS: Final = ("www", "m", "mobile", "amp")  # hosts that are another door to one house


class LinkRefused(ValueError):  # noqa: N818 - named for what happened, as every error here
    """The text is no link that can be posted; the message says why."""


@dataclass(frozen=True, kw_only=True)
class Link:
    """A link as it is posted, and the form by which it is compared."""

    final: str
    canonical: str


def link_of(raw: str) -> Link:
    """Return the link to post, in ASCII, with its canonical form beside it.

    Raises:
        LinkRefused: it is not an http or https link with a public host.
    """
    parts, host = _parse(raw.strip())
    path = _percent(parts.path)
    netloc = host if parts.port is None else f"{host}:{parts.port}"
    query = f"?{_percent(parts.query)}" if parts.query else ""
    fragment = f"#{_percent(parts.fragment)}" if parts.fragment else ""
    final = raw.strip()
    if not final.isascii():
        final = f"{parts.scheme.lower()}://{netloc}{path}{query}{fragment}"
    return Link(final=final, canonical=canonical_link(raw))


def canonical_link(raw: str) -> str:
    """Return the one spelling of a link: https, bare host, no tracking, no fragment.

    Raises:
        LinkRefused: it is not an http or https link with a public host.
    """
    parts, host = _parse(raw.strip())
    port = "" if parts.port in (None, _DEFAULT_PORTS[parts.scheme.lower()]) else f":{parts.port}"
    path = _without_dots(_percent(parts.path)).rstrip("/")
    kept = [pair for pair in _percent(parts.query).split("&") if pair and not _is_tracking(pair)]
    query = "?" + "&".join(kept) if kept else ""
    return f"https://{_front_door(host)}{port}{path}{query}"


_DEFAULT_PORTS: Final = {"http": 80, "https": 443}
_ESCAPE: Final = re.compile("%([0-9A-Fa-f]{2})")
_UNRESERVED: Final = re.compile("[A-Za-z0-9._~-]")
_KEEP: Final = "!$&'()*+,;=:@/?%~"


def _parse(raw: str) -> tuple[SplitResult, str]:
    if len(raw) > LINK_LENGTH_MAX:
        raise LinkRefused(f"the link is longer than {LINK_LENGTH_MAX} characters")
    if re.search(r"[\s\x00-\x1f\x7f]", raw):
        raise LinkRefused("the link holds white space or control characters")
    try:
        parts = urlsplit(raw)
        host, _ = parts.hostname or "", parts.port
    except ValueError as error:
        raise LinkRefused(f"{raw!r} is not a link: {error}") from error
    if parts.scheme.lower() not in _DEFAULT_PORTS:
        raise LinkRefused(f"{raw!r} is not a link: it starts neither with https:// nor http://")
    if parts.username is not None or parts.password is not None:
        raise LinkRefused("the link holds a user name or a password; it would be published")
    return parts, _ascii_host(host)


def _ascii_host(host: str) -> str:
    bare = host.rstrip(".")
    if not bare:
        raise LinkRefused("the link has no host")
    if _is_address(bare) or "." not in bare:
        raise LinkRefused(f"{bare!r} is not a public host; X makes no link of it")
    try:
        return idna.encode(bare, uts46=True).decode("ascii")
    except idna.IDNAError as error:
        raise LinkRefused(f"{bare!r} is not a host: {error}") from error


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _front_door(host: str) -> str:
    label, _, rest = host.partition(".")
    while label in DOOR_LABELS and "." in rest:
        host = rest
        label, _, rest = host.partition(".")
    return host


def _percent(part: str) -> str:
    """Escape what must be, unescape what need not be, with capital digits."""

    def simplest(match: re.Match[str]) -> str:
        char = chr(int(match[1], 16))
        return char if _UNRESERVED.fullmatch(char) else match[0].upper()

    loose = re.sub("%(?![0-9A-Fa-f]{2})", "%25", part)
    return _ESCAPE.sub(simplest, quote(loose, safe=_KEEP, errors="surrogatepass"))


def _without_dots(path: str) -> str:
    kept: list[str] = []
    for step in path.split("/")[1:]:
        if step == "..":
            del kept[-1:]
        elif step != ".":
            kept.append(step)
    return "/" + "/".join(kept)


def _is_tracking(pair: str) -> bool:
    name = pair.partition("=")[0].lower()
    return name in TRACKING_NAMES or name.startswith(TRACKING_PREFIXES)
