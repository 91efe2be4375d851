"""A small agent that holds a post at its gate and waits to be killed.

Run as a program by the tests: it opens a profile through `open_profile`, clicks on the recording
site, says on standard output when bytes wait, and then does what standard input says.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from browser.launch import BrowserSettings, open_profile
from tests.browser.waiting import until

if TYPE_CHECKING:
    from browser.profile import Profile
    from browser.tab import Tab


async def hold(*, folder: Path, port: int, pin_flag: str, way: str) -> None:
    """Holds one post until standard input says how to end."""
    settings = BrowserSettings(
        is_headed=False,
        extra_args=(pin_flag,),
        host_map={"x.com": f"127.0.0.1:{port}", "*": "refuse"},
    )
    async with open_profile(folder=folder, settings=settings) as profile, profile.tab() as tab:
        await tab.goto("https://x.com/")
        await tab._page.wait_for_selector(f"#{way}")
        profile.gate.arm()
        await tab.click(f"#{way}", is_trial=False)
        await until(lambda: profile.gate.facts.held_bytes)
        sys.stdout.write("held\n")
        sys.stdout.flush()
        await _end(await asyncio.to_thread(sys.stdin.readline), profile, tab)


async def _end(command: str, profile: Profile, tab: Tab) -> None:
    if command == "stop\n":
        await profile._playwright.stop()
    elif command == "close\n":
        await profile._context.close()
    elif command == "page\n":
        await tab.close()
    elif command == "release\n":
        async with tab._page.expect_event("requestfinished"):
            profile.gate.release()


if __name__ == "__main__":
    arguments = json.loads(sys.argv[1])
    asyncio.run(hold(**{**arguments, "folder": Path(arguments["folder"])}))
