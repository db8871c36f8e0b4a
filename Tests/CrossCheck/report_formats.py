"""Whether report.md, report.html and report.tex say what report.json stores.

Each format is read into its tables, its pictures and its running text. Tables are compared with the stored ones cell by cell. The stored sentences must
stand in the text in their order, and what stands between them holds no digit: a number that is not stored is a fault. How the pages look is
kept by the golden files of the renderers and by Tests/Page.
"""

import base64
import html.parser
import re


def collapsed(text):
    return " ".join(text.split())


class Read:
    """A report as it was read: tables of rows of (text, is it bold, the number behind it), running text, sources of pictures."""

    def __init__(self):
        self.tables, self.text, self.pictures = [], "", []


# Markdown


def markdown(text):
    found, rows = Read(), None
    for line in text.splitlines():
        if line.startswith("|"):
            cells = [collapsed(c.replace("\\|", "|")) for c in re.split(r"(?<!\\)\|", line)[1:-1]]
            if rows is None:
                rows = []
                found.tables.append(rows)
            if not all(re.fullmatch(r":?-+:?", c) for c in cells):
                rows.append([(c, False, None) for c in cells])
        elif image := re.fullmatch(r"!\[.*\]\((.*)\)", line):
            found.pictures.append(image[1])
        else:
            rows = None
            found.text += line + "\n"
    return found


# HTML


class Page(html.parser.HTMLParser):
    """What a reader sees of a page."""

    VOID = {"meta", "link", "img", "br", "line", "circle"}
    UNSEEN = {"svg", "style", "script", "nav", "head", "footer"}
    UNSEEN_CLASSES = {"hidden", "axis", "count", "what", "key", "show", "skip"}
    BLOCKS = {"h1", "h2", "h3", "h4", "h5", "h6", "p", "li", "dt", "dd", "figcaption", "summary"}

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.found, self.stack, self.cell, self.ids, self.pieces = Read(), [], None, [], []
        self.feed(text)
        self.close()
        self.found.text = collapsed("".join(self.pieces))

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.ids += [attributes["id"]] if "id" in attributes else []
        if tag == "img":
            self.found.pictures.append(attributes.get("src"))
        elif tag == "table":
            self.found.tables.append([])
        elif tag == "tr":
            self.found.tables[-1].append([])
        elif tag in ("th", "td"):
            self.cell = {"text": "", "bold": False, "value": attributes.get("data-value")}
        elif tag == "strong" and self.cell:
            self.cell["bold"] = True
        if tag in self.BLOCKS:
            self.pieces.append(" ")
        if tag not in self.VOID:
            classes = set((attributes.get("class") or "").split())
            self.stack.append((tag, tag in self.UNSEEN or bool(classes & self.UNSEEN_CLASSES)))

    def handle_data(self, data):
        if any(unseen for _, unseen in self.stack):
            return
        if self.cell:
            self.cell["text"] += data
        else:
            self.pieces.append(data)

    def handle_endtag(self, tag):
        if tag in self.VOID:
            return
        while self.stack and self.stack.pop()[0] != tag:
            pass
        if tag in ("th", "td"):
            value = self.cell["value"]
            self.found.tables[-1][-1].append((collapsed(self.cell["text"]), self.cell["bold"], None if value is None else float(value)))
            self.cell = None


def plain(sentence):
    """A sentence without its marks for bold and code."""
    pieces = sentence.split("`")
    kept, text = [], ""
    for index, piece in enumerate(pieces):
        if index % 2 == 0:
            text += piece
        elif index < len(pieces) - 1:
            text += f"\ue000{len(kept)}\ue001"
            kept.append(piece)
        else:
            text += "`" + piece
    text = re.sub(r"\*\*(?=\S)(.+?)(?<! )\*\*", r"\1", text)
    return collapsed(re.sub("\ue000(\\d+)\ue001", lambda m: kept[int(m[1])], text))


# LaTeX

ESCAPED = {"\\" + sign: sign for sign in "&%#_{}"} | {r"\${}": "$"}
MACROS = {
    r"\allowbreak{}": "", r"\textbackslash{}": "\\", r"\textasciicircum{}": "^", r"\textasciitilde{}": "~", r"\textquotedbl{}": '"',
    r"\ldots{}": "…", r"\downarrow": "↓", r"\uparrow": "↑", r"\rightarrow": "→", r"\leq": "≤", r"\geq": "≥", r"\approx": "≈", r"\pm": "±",
    r"\times": "×", r"\cdot": "·", r"\surd": "√", r"\infty": "∞", r"^\dagger": "†", r"\frac12": "½", r"^\circ": "°", r"\alpha": "α",
    r"\beta": "β", r"\delta": "δ", r"\Delta": "Δ", r"\varepsilon": "ε", r"\sigma": "σ", r"\rho": "ρ", r"\chi": "χ", r"\theta": "θ",
    r"\lambda": "λ", r"\mu": "μ", r"\tau": "τ", "---": "—", "--": "–", "^2": "²", "^3": "³", "_0": "₀", "_1": "₁", "_2": "₂", "_3": "₃",
}  # fmt: skip


def tex_cell(text):
    """A cell as its reader sees it, and whether it is bold."""
    bold = "\\textbf{" in text
    text = re.sub(r"\\textbf\{((?:[^{}]|\\[{}]|\{\})*)\}", r"\1", text)
    text = re.sub(r"\\shortstack\[r\]\{(.*)\\\\\{\\scriptsize (\[.*\])\}\}", r"\1 \2", text)
    # What is escaped is kept apart from what has a meaning.
    for place, sign in enumerate(ESCAPED):
        text = text.replace(sign, chr(0xE010 + place))
    text = text.replace("$-$", "−")
    for macro, sign in MACROS.items():
        text = text.replace(macro, sign)
    text = text.replace("$", "")
    for place, sign in enumerate(ESCAPED.values()):
        text = text.replace(chr(0xE010 + place), sign)
    return collapsed(text), bold, None


def beside(rows, others):
    """Parts of a table in one; a part whose names are others keeps them, which no stored table has."""
    return [a + b[a[:1] == b[:1] :] for a, b in zip(rows, others, strict=True)]


def latex(text):
    """Rows of every tabular and longtable; one that is wider than a page stands in parts, and each begins with the column of names."""
    tables = {}
    for match in re.finditer(r"\\begin\{(table|longtable)\}(.*?)\\end\{\1\}", text, re.S):
        is_long, body = match[1] == "longtable", match[2]
        label, rows = re.search(r"\\label\{tab:(.*?)\}", body)[1], []
        for part in re.split(r"\\begin\{tabular\}", body)[0 if is_long else 1 :]:
            lines = [line.removesuffix("\\\\") for line in part.splitlines() if line.endswith("\\\\") and "\\caption" not in line]
            own = [[tex_cell(c) for c in re.split(r"(?<!\\)&", line)] for line in lines]
            own = own[1:] if is_long and own[:1] == own[1:2] else own
            rows = beside(rows, own) if rows else own
        first = re.sub(r"-\d+$", "", label)
        if is_long and f"Part {label.removeprefix(first + '-')} of" in body and first in tables:
            tables[first] = beside(tables[first], rows)
        else:
            tables[label] = rows
    found = Read()
    found.tables = list(tables.values())
    return found, list(tables)


# Against what is stored


def check_cells(name, tables, stored, check, has_bold=True, has_values=False, written=lambda text: text):
    """One routine for all formats: every stored table, cell by cell."""
    check.same(len(tables), len(stored), f"{name}, tables")
    for found, block in zip(tables, stored):
        table, where = block["table"], f"{name}, table {block['id']}"
        heads = [{"text": column["title"]} for column in table["columns"]]
        check.same(len(found), 1 + len(table["rows"]), f"{where}, rows")
        for row, cells in zip(found, [heads] + table["rows"]):
            check.same(len(row), len(cells), f"{where}, row {row[0][0]}, cells")
            for (text, bold, value), cell, head in zip(row, cells, heads):
                what = f"{where}, row {row[0][0]}, {head['text']}"
                check.same(text, written(collapsed(cell["text"])), what)
                if has_bold:
                    check.same(bold, bool(cell.get("isBest")), f"{what}, in bold")
                if has_values:
                    check.close(value, cell.get("value"), f"{what}, number behind it", tolerance=0, floor=0)


def sentences(run, is_page):
    """Everything that is said, in the order in which a format says it."""
    yield run.document["title"]
    yield run.document.get("caveat") or ""
    for kind, block in run.blocks():
        if kind in ("heading", "paragraph"):
            yield block
        elif kind == "list":
            yield from block
        elif kind == "overview":
            yield from overview(block) if is_page else (block["badge"]["word"], block["badge"]["text"])
        elif kind == "answer":
            for line in block["lines"]:
                yield from (line["label"], line["text"])
        elif kind == "figure":
            yield block.get("caption") or ""
        elif kind == "table":
            yield block["caption"] if is_page else ""
        elif kind == "gallery":
            frames = [
                part
                for f in block["frames"]
                for part in (f["rank"], f["title"], f["caption"], *([f["cloud"]["alt"]] if is_page and "cloud" in f else []))
            ]
            scales = [part for scale in block["scales"] for part in (*scale["roles"], scale["title"])]
            scene = [block["scene"]["alt"]] if is_page and "scene" in block else []
            yield from scales + frames + scene if is_page else frames + scales


def overview(block):
    """The first screen of a page."""
    yield from (block["badge"]["word"], block["badge"]["text"])
    for tile in block["tiles"]:
        yield from (tile["label"], tile["value"], tile["note"])
    if comparison := block.get("comparison"):
        yield from (comparison["title"], comparison["table"]["columns"][1]["title"])
        for row in comparison["table"]["rows"]:
            yield from (cell["text"] for cell in row)
        yield comparison.get("note") or ""
    if frame := block.get("frame"):
        yield from (f"{frame['rank']}: {frame['title']}", *(picture["role"] for picture in frame["pictures"]), frame["caption"])


def check_text(name, text, said, check):
    place, between = 0, []
    for sentence in said:
        at = text.find(sentence, place)
        check.true(at >= 0, f"{name} does not say, in its place: {sentence[:200]!r}")
        if at >= 0:
            between.append(text[place:at])
            place = at + len(sentence)
    extra = [part for part in between + [text[place:]] if re.search(r"\d", part)]
    check.same(extra, [], f"{name}, numbers that are not stored")


def embedded(path):
    content = path.read_bytes() if path.exists() else b""
    kind = {b"\x89PNG": "png", b"GIF8": "gif"}.get(content[:4], "jpeg")
    return f"data:image/{kind};base64,{base64.b64encode(content).decode()}"


def check_formats(run, check):
    stored = [block for kind, block in run.blocks() if kind == "table"]
    galleries = [block for kind, block in run.blocks() if kind == "gallery"]
    pictures = [[p["file"] for f in g["frames"] for p in f["pictures"]] for g in galleries]
    scales = [[scale["file"] for scale in g["scales"]] for g in galleries]

    read = markdown((run.folder / "report.md").read_text())
    check_cells("report.md", read.tables, stored, check, has_bold=False)
    check_text("report.md", read.text, sentences(run, is_page=False), check)
    figures = [f"figures/{block['name']}.svg" for kind, block in run.blocks() if kind == "figure"]
    check.same([p for p in read.pictures if p.startswith("figures/")], figures, "report.md, charts")
    shown = [file for a, b in zip(pictures, scales) for file in a + b]
    check.same([p for p in read.pictures if not p.startswith("figures/")], shown, "report.md, pictures")
    check.same([p for p in shown + figures if not run.has(p)], [], "report.md, pictures that are missing")

    page = Page((run.folder / "report.html").read_text())
    check_cells("report.html", page.found.tables, stored, check, has_values=True, written=lambda text: text or "–")
    check_text("report.html", page.found.text, map(plain, sentences(run, is_page=True)), check)
    first = [p["file"] for kind, block in run.blocks() if kind == "overview" for p in block.get("frame", {}).get("pictures", [])]
    shown = [embedded(run.folder / file) for file in first + [file for a, b in zip(scales, pictures) for file in a + b]]
    check.true(page.found.pictures == shown, "report.html: other pictures than the stored ones")
    check.same(sorted({i for i in page.ids if page.ids.count(i) > 1}), [], "report.html, ids that occur twice")

    if run.has("report.tex"):
        read, labels = latex((run.folder / "report.tex").read_text())
        results = [block for block in stored if block["role"] == "result" and block["table"]["rows"]]
        check_cells("report.tex", read.tables, results, check, written=lambda text: text.replace("µ", "μ"))
        for label, block in zip(labels, results):
            check.true(label.endswith("-" + re.sub(r"[^A-Za-z0-9-]", "-", block["id"])), f"report.tex: label {label} of {block['id']}")
