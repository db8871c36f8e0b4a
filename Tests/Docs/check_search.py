"""Types words into the search of the built site (`make site`) and looks which page it finds first.

    check_search.py [SITE]

Needs playwright and chromium, as the tests of pages do. SITE is .build/site where it is not named.
"""

import functools
import http.server
import pathlib
import sys
import threading

from playwright.sync_api import sync_playwright

SITE = pathlib.Path(__file__).resolve().parents[2] / ".build/site"
# What people type, and the pages that may come first.
FIRST = {
    "delta1": ["docs/glossary.html"],
    "RMSE": ["docs/glossary.html", "docs/domain.html"],
    "AbsRel": ["docs/glossary.html", "docs/domain.html"],
    "polycam": ["docs/importing.html"],
    "iphone": ["docs/importing.html", "docs/tutorial-phone.html"],
    "macOS": ["docs/setup.html", "docs/apple.html"],
    "docker": ["docs/setup.html"],
    "GPU": ["docs/performance.html"],
    "s3": ["docs/scale.html"],
}


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def main():
    site = sys.argv[1] if len(sys.argv) > 1 else str(SITE)
    faults = []
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=site)) as server, sync_playwright() as tool:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page = tool.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"]).new_page()
        for words, wanted in FIRST.items():
            page.goto(f"http://127.0.0.1:{server.server_port}/index.html")
            page.fill("input.md-search__input", words)
            page.wait_for_selector(".md-search-result__meta:has-text('matching document'), .md-search-result__item")
            found = page.query_selector(".md-search-result__item > a")
            first = found.get_attribute("href").split("?")[0].split("/", 3)[-1] if found else "nothing"
            if first not in wanted:
                faults.append(f"{words}: it finds {first} first, not {' or '.join(wanted)}")
        server.shutdown()
    print(*faults, sep="\n", file=sys.stderr)
    sys.exit(1 if faults else print(f"{len(FIRST)} searches find their page first"))


if __name__ == "__main__":
    main()
