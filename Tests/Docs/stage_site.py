"""Copies the pages of the documentation, and the files of the repository that they link to, for mkdocs.

    python3 Tests/Docs/stage_site.py FOLDER

The folder has the repository's own layout, so links hold as they stand. A link to a folder leads to its README.md or index.md
where it has one; else, and where the repository does not keep the file, the link becomes plain text.
"""

import re
import shutil
import sys
from pathlib import Path

from pages import LINK, ROOT, links, tracked


def wanted(files):
    """The pages, and what can be reached from them."""
    pages = [f for f in files if f == ROOT / "README.md" or f.parent in (ROOT / "docs", ROOT / "docs/commands")]
    found, open_pages = set(), [f for f in pages if f.suffix == ".md"]
    while open_pages:
        page = open_pages.pop()
        if page in found:
            continue
        found.add(page)
        if page.suffix != ".md":
            continue
        for _, target in links(page):
            if ":" not in target.split("#")[0]:
                path = (page.parent / target.split("#")[0]).resolve()
                path = next((p for p in (path, path / "README.md", path / "index.md") if p in files), None)
                if path:
                    open_pages.append(path)
    return found


# Pages that define a term come before pages that use it, and both before results, tests and the history.
DEFINING = {"docs/glossary.md", "docs/domain.md", "docs/importing.md", "docs/setup.md", "README.md"}


def front_matter(page):
    """How the site's search treats a page: what a demonstration wrote is not searched."""
    name = str(page.relative_to(ROOT))
    if name.startswith("Notebooks-export/"):
        return "---\nsearch:\n  exclude: true\n---\n\n"
    weight = 4 if name in DEFINING else 1 if name.startswith("docs/") else 0.05
    return f"---\nsearch:\n  boost: {weight}\n---\n\n"


def staged(page, files):
    """The text of a page in which links to folders lead to a page, or are none."""

    def follow(found):
        target = found[1].split("#")[0]
        path = (page.parent / target).resolve()
        if ":" in target or not target or path in files:
            return found[0]
        inside = next((name for name in ("README.md", "index.md") if path / name in files), None)
        if inside:
            return found[0].replace(f"]({target}", f"]({target.rstrip('/')}/{inside}")
        return re.sub(r"\]\([^)]*\)$", "", found[0]).lstrip("[")

    return LINK.sub(follow, page.read_text())


def main():
    folder = Path(sys.argv[1])
    shutil.rmtree(folder, ignore_errors=True)
    files = set(tracked())
    for file in sorted(wanted(files)):
        target = folder / file.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        if file.suffix == ".md":
            target.write_text(front_matter(file) + staged(file, files))
        else:
            shutil.copyfile(file, target)


if __name__ == "__main__":
    main()
