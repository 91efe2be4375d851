from tests.simx.clients import Http2Client, Person, RunningX, body_of, eventually

BODY = body_of({"tweet_text": "Never whole"})


def head_of(person: Person, *, length: int) -> bytes:
    """Write the head of a posting request by hand."""
    lines = [f"{name}: {value}" for name, value in person.headers().items()]
    first = ["POST /i/api/graphql/q/CreateTweet HTTP/1.1", "host: x.com"]
    return "\r\n".join([*first, *lines, f"content-length: {length}", "", ""]).encode()


def test_a_request_is_seen_while_its_body_is_still_coming(x: RunningX, ada: Person) -> None:
    """Over HTTP/1.1 from its head on: partial, with the bytes that came."""
    with x.connect("x.com") as connection:
        connection.sendall(head_of(ada, length=len(BODY)) + BODY[:10])

        (seen,) = eventually(x.posting_requests)

    assert (seen["whole"], seen["http"], seen["account"]) == (False, "1.1", "ada_writes")
    assert seen["operation"] == "CreateTweet"
    assert x.truth() == []


def test_a_stream_is_seen_while_its_body_is_still_coming(x: RunningX, ada: Person) -> None:
    """Over HTTP/2 as well."""
    with Http2Client(x) as client:
        client.send(ada, BODY, is_whole=False)

        (seen,) = eventually(x.posting_requests)

    assert (seen["whole"], seen["http"], seen["status"]) == (False, "2", None)
    assert x.truth() == []


def test_a_request_that_breaks_off_in_its_head_is_seen(x: RunningX, ada: Person) -> None:
    """Not even a whole head arrived, but bytes of it did."""
    with x.connect("x.com") as connection:
        connection.sendall(head_of(ada, length=9)[:60])

    (seen,) = eventually(lambda: x.control("GET", "/truth/requests?method=POST"))

    assert seen["path"] == "/i/api/graphql/q/CreateTweet"
    assert not seen["whole"]


def test_a_stream_that_breaks_off_in_its_head_is_seen(x: RunningX) -> None:
    """A frame that is not whole leaves an entry without a method."""
    with Http2Client(x) as client:
        client.break_off(b"\x00\x00\x30\x01\x04")

    (seen,) = eventually(lambda: x.control("GET", "/truth/requests"))

    assert (seen["method"], seen["whole"], seen["http"]) == ("", False, "2")


def test_a_connection_without_a_request_leaves_no_request(x: RunningX) -> None:
    """Opening and closing is not sending."""
    x.connect("x.com").close()
    with Http2Client(x):
        pass

    closed = eventually(
        lambda: [one for one in x.control("GET", "/truth/connections") if one["closed_ms"]][1:]
    )

    assert len(closed) == 1
    assert x.control("GET", "/truth/requests") == []


def test_whole_requests_tell_time_size_and_answer(x: RunningX, ada: Person) -> None:
    """First byte before the answer, bytes of the body, status."""
    ada.post("Whole")

    (seen,) = x.posting_requests()

    assert (seen["whole"], seen["status"]) == (True, 200)
    assert seen["bytes"] == len(body_of({"tweet_text": "Whole"}))
    assert seen["first_byte_ms"] <= seen["answered_ms"]


def test_reading_is_not_publishing(x: RunningX, ada: Person) -> None:
    """Preflights, reads and pages are no posting requests."""
    ada.read("Viewer")
    ada.visit("/home")
    x.request("OPTIONS", "https://x.com/i/api/graphql/q/CreateTweet")

    assert x.posting_requests() == []
    assert len(x.control("GET", "/truth/requests?operation=page")) == 1
