"""Doubt settled by looking, in a real browser; and what looking leaves before a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.e2e.world import BLOG, killed

if TYPE_CHECKING:
    from tests.e2e.world import Json, World

LINK = f"{BLOG}/essay"


def out(world: World, handle: str = "ada_writes") -> list[Json]:
    """The posts of an account that our browsers made."""
    return [post for post in world.x.truth(origin="web") if post["author"] == handle]


def permalink(post: Json) -> str:
    """The address of a post."""
    return f"https://x.com/{post['author']}/status/{post['id']}"


def settled(world: World, handle: str = "ada_writes") -> None:
    """An account that has posted before, and looks within seconds."""
    world.looks_soon()
    world.sign_in(handle)
    old = {"author": handle, "text": f"An older one {BLOG}/older", "age_s": 90_000}
    world.x.control("POST", "/posts", old)


def lost(world: World, text: str = "Lost on the way back.") -> str:
    """A job whose answer X loses after it has stored the post."""
    world.x.fault("answer_lost_after_store", on="CreateTweet", times=1)
    return world.prepare("ada_writes", text, LINK)


def before_a_person(world: World) -> tuple[str, str, list[Json]]:
    """A job that one look has put before a person, its version, and the two posts like it."""
    settled(world)
    world.x.fault("duplicate_post_stored", times=1)
    job_id = lost(world)
    world.run()
    page = world.ok("review", "show", job_id).json()
    assert (page["state"], page["code"]) == ("needs_manual", "duplicate")
    twins = [post for post in world.x.truth() if LINK in post["text"]]
    return job_id, str(page["version"]), twins


@pytest.mark.parametrize("point", ["released", "acknowledged"])
def test_row_31_a_kill_behind_the_release_is_settled_by_looking(world: World, point: str) -> None:
    """Kill -9; then confirmed with what is there once, or before a person when nothing is."""
    settled(world)
    job_id = world.prepare("ada_writes", f"Killed at {point}.")
    killed(world.halted_at(point))

    done = world.run()

    job = world.show(job_id)
    if point == "released":
        assert (done.exit_code, job["state"], out(world)) == (5, "needs_manual", [])
    else:
        (post,) = out(world)
        assert (job["state"], job["permalink"]) == ("confirmed", permalink(post))


LOST = ("answer_lost_after_store", "error_500_after_store", "empty_result_stored")


def test_rows_32_33_34_a_lost_answer_is_found_on_the_profile(world: World) -> None:
    """Each is there once, confirmed with its permalink, pictures of the post and of its page."""
    settled(world)
    jobs = {}
    for fault in LOST:
        world.x.fault(fault, on="CreateTweet", times=1)
        jobs[fault] = world.prepare("ada_writes", f"After {fault}.", f"{BLOG}/{fault}")

    done = world.run()

    posts = {post["text"]: post for post in out(world)}
    assert (done.exit_code, len(posts)) == (0, len(LOST))
    for job in map(world.show, jobs.values()):
        post = posts[job["segments"][0]["text"]]
        kinds = {each["kind"] for each in job["evidence"] if each["path"]}
        assert job["permalink"] == permalink(post)
        assert {f"candidate-{post['id']}", "post"} <= kinds


def test_row_32_what_never_shows_is_put_before_a_person_with_all_that_was_seen(
    world: World,
) -> None:
    """Nothing stored: after bounded looks exit 5; `review show` and `explain` tell all of it."""
    settled(world)
    world.x.fault("answer_lost_before_store", on="CreateTweet", times=1)
    job_id = world.prepare("ada_writes", "Never stored.", LINK)

    done = world.run()
    page = world.ok("review", "show", job_id).json()
    looks = world.ok("explain", job_id).json()["looks"]

    assert (done.exit_code, page["code"], out(world)) == (5, "not_found", [])
    assert page["expected"]["link"] == LINK
    assert f"--version {page['version']}" in page["commands"]["absent"]
    assert [each["result"] for each in looks] == ["absent"] * 3
    assert [each["job_id"] for each in world.ok("review", "list").json()] == [job_id]


def test_row_38_a_duplicate_that_is_ours_and_old_is_shown_to_a_person(world: World) -> None:
    """187, and the same text from before: never confirmed, and the old post is shown."""
    settled(world)
    old = world.x.control(
        "POST", "/posts", {"author": "ada_writes", "text": f"Once more {LINK}", "age_s": 3_000_000}
    )
    job_id = world.prepare("ada_writes", "Once more", LINK)
    world.x.fault("graphql_error", on="CreateTweet", code=187, times=1)

    world.run()

    page = world.ok("review", "show", job_id).json()
    assert page["state"] == "needs_manual"
    assert old["id"] in {each["id"] for each in page["candidates"]}
    assert out(world) == []


TOASTS = ("no_toast", "toast_locale", "toast_foreign_link")


@pytest.mark.long
def test_row_42_the_toast_is_not_needed(world: World) -> None:
    """Missing, in another language, or of another post: the answer and the page confirm."""
    world.sign_in("ada_writes")
    jobs = []
    for fault in TOASTS:
        world.x.fault(fault, times=1)
        jobs.append(world.prepare("ada_writes", f"With {fault}.", f"{BLOG}/{fault}"))
        world.command("run", "--once")

    shown = [world.show(job_id)["permalink"] for job_id in jobs]

    assert shown == [permalink(post) for post in sorted(out(world), key=lambda one: one["id"])]


@pytest.mark.long
@pytest.mark.parametrize("fault", ["graduated_access_redirect", "undo_send_ms"])
def test_rows_43_and_44_a_page_that_goes_its_own_way_after_the_post_is_confirmed(
    world: World, fault: str
) -> None:
    """Redirected to graduated access, or held for Undo: confirmed, out once."""
    world.sign_in("ada_writes")
    job_id = world.prepare("ada_writes", f"With {fault}.")
    world.x.fault(fault)

    world.run()

    (post,) = out(world)
    assert world.show(job_id)["permalink"] == permalink(post)


@pytest.mark.long
def test_row_45_an_answer_that_names_another_author_confirms_nothing(world: World) -> None:
    """Unknown, and the account is held until a person has seen to it: exit 8."""
    settled(world)
    job_id = world.prepare("ada_writes", "Whose is it?")
    world.x.fault("foreign_author_in_answer", on="CreateTweet", times=1)

    done = world.run()

    (post,) = out(world)
    shown = world.ok("account", "show", "ada_writes").json()
    assert done.exit_code == 8
    assert [each["kind"] for each in shown["breakers"]] == ["foreign_author"]
    assert world.show(job_id)["permalink"] in {None, permalink(post)}


def test_row_46_a_page_that_fails_leaves_the_reading_owed_and_it_is_made_later(
    world: World,
) -> None:
    """Confirmed by the answer's id; the owed page is read by the next run, and is equal."""
    world.looks(read_back_after_s=[1, 2, 3])
    world.sign_in("ada_writes")
    job_id = world.prepare("ada_writes", "Read back later.")
    world.x.fault("permalink_error", times=1)

    world.run()

    job = world.show(job_id)
    assert (job["state"], job["is_read_back_owed"]) == ("confirmed", False)
    assert len(out(world)) == 1


def test_row_49_a_profile_that_lags_confirms_when_it_shows(world: World) -> None:
    """A look while the profile is behind is absent, one after it has caught up finds the post."""
    settled(world)
    world.x.fault("profile_lag_ms", ms=None)
    job_id = lost(world)
    world.command("run", "--once")

    absent = world.command("reconcile", job_id)
    world.x.control("DELETE", "/faults")
    found = world.command("reconcile", job_id)

    looks = world.ok("explain", job_id).json()["looks"]
    assert [each["result"] for each in looks] == ["absent", "found"]
    assert (absent.exit_code, found.exit_code) == (4, 0)


@pytest.mark.long
@pytest.mark.parametrize("fault", ["profile_error", "profile_empty"])
def test_row_50_a_profile_in_trouble_is_void_and_not_absent(world: World, fault: str) -> None:
    """One void look, then the profile is well again: confirmed."""
    settled(world)
    job_id = lost(world)
    world.command("run", "--once")
    world.x.control("POST", "/faults", {"do": fault})

    void = world.command("reconcile", job_id)
    world.x.control("DELETE", "/faults")
    found = world.command("reconcile", job_id)

    first, *_rest = world.ok("explain", job_id).json()["looks"]
    assert (void.exit_code, first["result"]) == (4, "void")
    assert (found.exit_code, world.show(job_id)["state"]) == (0, "confirmed")


@pytest.mark.long
def test_row_51_pinned_twins_reposts_and_quotes_are_not_taken_for_ours(world: World) -> None:
    """Ours was never stored; what stands there with the same text is old or somebody else's."""
    settled(world)
    text = f"Said by many. {LINK}"
    world.x.control("POST", "/posts", {"author": "bo_reads", "text": text})
    twin = {"author": "ada_writes", "text": text, "age_s": 3_000_000, "pinned": True}
    world.x.control("POST", "/posts", twin)
    world.x.fault("answer_lost_before_store", on="CreateTweet", times=1)
    job_id = world.prepare("ada_writes", "Said by many.", LINK)

    world.run()

    assert (world.show(job_id)["state"], world.show(job_id)["code"]) == (
        "needs_manual",
        "not_found",
    )


def test_rows_52_and_54_a_second_post_like_ours_goes_to_a_person_as_duplicate(
    world: World,
) -> None:
    """A twin beside ours: both are shown, and neither is confirmed."""
    job_id, _version, twins = before_a_person(world)

    page = world.ok("review", "show", job_id).json()

    assert {post["id"] for post in twins} == {each["id"] for each in page["candidates"][:2]}
    assert all(each["picture"] for each in page["candidates"][:2])


@pytest.mark.long
def test_row_53_two_texts_nearly_alike_are_never_crossed(world: World) -> None:
    """Each is confirmed with its own post, or waits; none with the other's."""
    settled(world)
    world.x.fault("answer_lost_after_store", on="CreateTweet", times=2)
    texts = ("Part 1 of my notes is out.", "Part 2 of my notes is out.")
    jobs = [world.prepare("ada_writes", text, f"{BLOG}/part-{at}") for at, text in enumerate(texts)]

    world.run()

    truth = {post["text"]: permalink(post) for post in out(world)}
    shown = [world.show(job_id) for job_id in jobs]
    assert [job["permalink"] for job in shown] == [
        truth[job["segments"][0]["text"]] for job in shown
    ]


REFUSED = {
    "row 61: not a permalink": ("https://x.com/ada_writes", "not_a_permalink"),
    "row 61: of another author": ("https://x.com/ada_writes/status/{foreign}", "foreign_author"),
    "row 61: gone": ("https://x.com/ada_writes/status/{gone}", "post_gone"),
}


def test_row_61_a_permalink_that_is_not_the_post_is_refused_with_the_reason(world: World) -> None:
    """Another author's, none, one that is gone: refused; the job and its version stay."""
    job_id, version, _twins = before_a_person(world)
    foreign = world.x.control("POST", "/posts", {"author": "bo_reads", "text": "Mine"})["id"]

    found = {}
    for case, (address, _code) in REFUSED.items():
        named = address.format(foreign=foreign, gone=int(foreign) + (1 << 22))
        done = world.command("review", "confirm", job_id, named, "--version", version)
        found[case] = (done.exit_code, done.json()["error"].get("code"))

    assert found == {case: (2, code) for case, (_address, code) in REFUSED.items()}
    assert str(world.show(job_id)["version"]) == version


def test_rows_62_and_63_a_person_confirms_once_and_a_stale_decision_changes_nothing(
    world: World,
) -> None:
    """One of the twins is named; the second click hears who was first."""
    job_id, version, (post, _twin) = before_a_person(world)
    words = ("review", "confirm", job_id, permalink(post), "--version", version)

    first = world.ok(*words, "--as", "Ann").json()
    second = world.command(*words, "--as", "Bob")

    assert (first["state"], first["compared"]["is_text_equal"]) == ("confirmed", True)
    assert (second.exit_code, second.json()["error"]["kind"]) == (2, "Stale")
    assert "Ann" in second.json()["error"]["message"]


def test_row_64_absent_is_refused_when_a_fresh_look_finds_the_post(world: World) -> None:
    """The ruling looks first; what it finds is confirmed, and nothing is sent again."""
    job_id, version, (post, twin) = before_a_person(world)
    world.x.control("DELETE", f"/posts/{twin['id']}")

    done = world.command(
        *("review", "absent", job_id, "--version", version, "--note", "I see nothing")
    )
    world.run()

    assert (done.exit_code, done.json()["error"]["code"]) == (2, "look_found")
    assert world.show(job_id)["permalink"] == permalink(post)
    assert len(out(world)) == 1


def test_a_post_ruled_absent_is_tried_once_more_and_is_out_once(world: World) -> None:
    """Both were deleted: a person rules absent with a note; the new attempt confirms."""
    job_id, version, twins = before_a_person(world)
    for post in twins:
        world.x.control("DELETE", f"/posts/{post['id']}")

    ruled = world.ok(*("review", "absent", job_id, "--version", version, "--note", "deleted"))
    world.run()

    job = world.show(job_id)
    assert ruled.json()["state"] == "prepared"
    assert (job["state"], len(job["attempts"])) == ("confirmed", 2)
    assert job["permalink"] not in {permalink(post) for post in twins}
