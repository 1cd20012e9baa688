"""The guard met by a real browser: the link signs in, the page works, another site gets nothing."""

import http.server
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from guard_probes import Site

pytestmark = pytest.mark.browser


class Foreign:
    """Another web site on this computer, which links to ours and sends forms to it."""

    def __init__(self) -> None:
        self.page = b""
        outer = self

        class Answer(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("content-type", "text/html")
                self.end_headers()
                self.wfile.write(outer.page)

            def log_message(self, *words: Any) -> None:
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        self.address = f"http://127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture
def foreign() -> Iterator[Foreign]:
    server = Foreign()
    yield server
    server.close()


def test_the_link_signs_in_and_the_page_works_under_the_policy(
    site: Site, browser_page: Any
) -> None:
    blocked: list[str] = []
    browser_page.on("console", lambda line: blocked.append(line.text))
    browser_page.goto(f"{site.origin}/?token=token-of-ada")
    browser_page.wait_for_url(f"{site.origin}/")
    browser_page.get_by_role("textbox").first.fill("hello")
    browser_page.get_by_role("button", name="Run").first.click()
    browser_page.wait_for_function(
        "[...document.querySelectorAll('textarea,input')].some(e => e.value == 'ada says hello')"
    )
    own = [line for line in blocked if "Content Security Policy" in line and site.origin in line]
    assert not own
    assert "token" not in browser_page.url


def test_the_link_works_from_another_site_too(
    site: Site, browser_page: Any, foreign: Foreign
) -> None:
    foreign.page = f"<a href='{site.origin}/?token=token-of-bob'>open</a>".encode()
    browser_page.goto(foreign.address)
    browser_page.get_by_text("open").click()
    browser_page.wait_for_url(f"{site.origin}/")
    browser_page.get_by_role("textbox").first.wait_for()


def test_another_site_can_neither_read_nor_send_nor_frame(
    site: Site, browser_page: Any, foreign: Foreign
) -> None:
    browser_page.goto(f"{site.origin}/?token=token-of-ada")
    browser_page.wait_for_url(f"{site.origin}/")
    foreign.page = b"<body>foreign</body>"
    browser_page.goto(foreign.address)
    script = """async (address) => {
        const tried = []
        const form = new FormData()
        form.append("files", new Blob(["evil"]), "evil.txt")
        for (const options of [{}, {method: "POST", body: form}, {method: "POST", body: "{}"}]) {
            for (const mode of ["cors", "no-cors"]) {
                try {
                    const path = options.method ? "/gradio_api/upload" : "/config"
                    const told = await fetch(address + path,
                        {...options, mode, credentials: "include"})
                    tried.push(told.type)
                } catch (error) { tried.push("refused") }
            }
        }
        return tried
    }"""
    told = browser_page.evaluate(script, site.origin)
    assert set(told) <= {"refused", "opaque"}
    assert not list(site.folder.rglob("evil.txt"))
    browser_page.set_content(f"<iframe src='{site.origin}/' width=500 height=500></iframe>")
    assert "gradio" not in browser_page.frames[-1].content()
