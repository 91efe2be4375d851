import json

from tests.simx.clients import Answer, Person, RunningX

UPLOAD = "https://upload.x.com/i/media/upload.json"
PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x20\x00\x00\x00\x10rest"
BOUNDARY = "simxboundary"


def send(person: Person, query: str, body: bytes = b"", kind: str = "text/plain") -> Answer:
    """Call the upload host."""
    headers = person.headers() | {"content-type": kind}
    return person.x.request("POST", f"{UPLOAD}?{query}", headers=headers, body=body)


def multipart(content: bytes) -> tuple[bytes, str]:
    """Wrap a segment as the web client does."""
    head = 'content-disposition: form-data; name="media"; filename="blob"'
    kind = "content-type: application/octet-stream"
    start = f"--{BOUNDARY}\r\n{head}\r\n{kind}\r\n\r\n".encode()
    end = f"\r\n--{BOUNDARY}--\r\n".encode()
    return start + content + end, f"multipart/form-data; boundary={BOUNDARY}"


def uploaded(person: Person, content: bytes = PNG) -> str:
    """Upload a picture in two segments and tell its id."""
    query = f"command=INIT&total_bytes={len(content)}&media_type=image/png"
    media_id = send(person, query).json()["media_id_string"]
    for index, part in enumerate((content[:10], content[10:])):
        body, kind = multipart(part)
        append = f"command=APPEND&media_id={media_id}&segment_index={index}"
        assert send(person, append, body, kind).status == 204
    assert send(person, f"command=FINALIZE&media_id={media_id}").status == 201
    return str(media_id)


def test_a_picture_goes_up_in_four_commands_and_into_a_post(x: RunningX, ada: Person) -> None:
    """With its alt text; the truth keeps size and hash, the picture is served."""
    media_id = uploaded(ada)
    alt = json.dumps({"media_id": media_id, "alt_text": {"text": "A kite"}}).encode()
    url = "https://x.com/i/api/1.1/media/metadata/create.json"
    x.request("POST", url, headers=ada.headers(), body=alt)

    entity = {"media_id": media_id, "tagged_users": []}
    answer = ada.post("Look", media={"media_entities": [entity]}).json()

    legacy = answer["data"]["create_tweet"]["tweet_results"]["result"]["legacy"]
    (media,) = legacy["entities"]["media"]
    (kept,) = x.truth()[0]["media"]
    assert legacy["full_text"] == f"Look {media['url']}"
    assert legacy["display_text_range"] == [0, 4]
    assert (kept["bytes"], kept["alt_text"]) == (len(PNG), "A kite")
    assert media["original_info"] == {"focus_rects": [], "height": 16, "width": 32}
    assert x.request("GET", media["media_url_https"]).body == PNG


def test_what_does_not_fit_is_refused(ada: Person) -> None:
    """Too large, too few bytes, unknown command, unknown file."""
    large = send(ada, "command=INIT&total_bytes=9999999&media_type=image/png")
    short = send(ada, "command=INIT&total_bytes=99&media_type=image/png").json()
    unfinished = send(ada, f"command=FINALIZE&media_id={short['media_id_string']}")

    assert (large.status, unfinished.status) == (400, 400)
    assert send(ada, "command=NOP").status == 400
    unknown = send(ada, "command=FINALIZE&media_id=1").json()
    assert unknown["errors"][0]["code"] == 324


def test_another_accounts_file_cannot_be_attached(x: RunningX, ada: Person) -> None:
    """Media belong to who uploaded them."""
    media_id = uploaded(x.person("bo"))

    answer = ada.post("Mine?", media={"media_entities": [{"media_id": media_id}]})

    assert answer.json()["errors"][0]["code"] == 324


def test_the_page_may_call_from_its_own_origin(x: RunningX) -> None:
    """The preflight allows the web client's headers, with cookies."""
    answer = x.request("OPTIONS", UPLOAD)

    assert answer.headers["access-control-allow-origin"] == "https://x.com"
    assert answer.headers["access-control-allow-credentials"] == "true"
    assert "x-csrf-token" in answer.headers["access-control-allow-headers"]


def test_an_upload_can_fail(x: RunningX, ada: Person) -> None:
    """Faults of the answer stage fall on uploads as well."""
    x.fault("error_500_before_store", on="MediaUpload", times=1)

    failed = send(ada, "command=INIT&total_bytes=9&media_type=image/png")

    assert failed.status == 500
    assert uploaded(ada)
