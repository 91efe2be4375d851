"""What the demo posts, and as whom. Data only."""

from __future__ import annotations

ACCOUNTS = (("mira_writes", "Mira Writes"), ("essays_by_ken", "Essays by Ken"))
_BLOG = "https://blog.example.com"


def announcements(soon: str) -> list[dict[str, str]]:
    """Returns five posts; the last one is due at `soon`."""
    mira, ken = (handle for handle, _name in ACCOUNTS)
    return [
        {
            "account": mira,
            "text": "New essay: what a scheduler owes the reader when an answer gets lost.",
            "link": f"{_BLOG}/lost-answers?utm_source=x",
        },
        {
            "account": ken,
            "text": "新文章：为什么“超时”不等于“失败”，以及怎样不把同一篇发两次。",  # noqa: RUF001
            "link": f"{_BLOG}/zh/timeouts",
        },
        {
            "account": mira,
            "text": "Six gates 🚪🚪🚪 between a draft and the world 🌍 a field guide 👩🏽‍💻",
            "link": f"{_BLOG}/six-gates",
        },
        {
            "account": ken,
            "text": f"{_BLOG}/review-notes notes from a long talk, with thanks to @mira_writes",
            "link": f"{_BLOG}/review-notes",
        },
        {
            "account": mira,
            "text": "Scheduled a few seconds ahead: on keeping promises to a clock.",
            "link": f"{_BLOG}/clocks",
            "at": soon,
        },
    ]


def lost_answers() -> tuple[dict[str, str], dict[str, str]]:
    """Returns two posts to which X will lose its answer."""
    mira, ken = (handle for handle, _name in ACCOUNTS)
    found = {
        "account": mira,
        "text": "X took this one and lost its answer; it is found on the profile.",
        "link": f"{_BLOG}/found-by-looking",
    }
    lost = {
        "account": ken,
        "text": "X lost this one together with its answer; a person decides.",
        "link": f"{_BLOG}/before-a-person",
    }
    return found, lost
