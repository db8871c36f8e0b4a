"""Opens pages of reports in headless Chromium and uses them as people do: without a network, by keyboard, on a phone, in the dark,
on paper, with a screen reader's rules.

    check_page.py REPORT.html… [--screenshots FOLDER] [--chromium PATH] [--slowest-load SECONDS]

Every page must open without console errors or requests, name itself, hold its own script alone, and have no serious violation of
axe-core's rules and no text below a contrast of 4.5:1, light and dark. Tables must sort and filter, galleries compare. What a page
does not have (a gallery, a long table) is not asked of it, and the summary says what was found. Ends with 1 and words if not so.
"""
import argparse
import csv
import io
import pathlib
import shutil
import sys
import time
import unicodedata

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright
from pypdf import PdfReader

BROWSERS = ["chromium", "chromium-browser", "google-chrome"]
LARGEST_PAGE = 10e6
# Text against what is painted behind it; WCAG 2.2, 1.4.3. Relative luminance as defined there.
CONTRAST = """() => {
  const light = (c) => { c /= 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
  const luminance = ([r, g, b]) => 0.2126 * light(r) + 0.7152 * light(g) + 0.0722 * light(b);
  const rgba = (text) => { const n = text.match(/[\\d.]+/g).map(Number); return n.length < 4 ? [...n, 1] : n; };
  const over = (top, below) => [0, 1, 2].map((i) => top[3] * top[i] + (1 - top[3]) * below[i]);
  const ground = (element) => {
    const layers = [];
    for (let e = element; e; e = e.parentElement) layers.push(rgba(getComputedStyle(e).backgroundColor));
    const canvas = matchMedia("(prefers-color-scheme: dark)").matches ? [0, 0, 0] : [255, 255, 255];
    return layers.reverse().reduce((below, layer) => over(layer, below), canvas);
  };
  let worst = { ratio: 21, text: "" };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const [node, element] = [walker.currentNode, walker.currentNode.parentElement];
    if (!node.textContent.trim() || element.closest("svg, script, style, .hidden")) continue;
    if (!element.checkVisibility({ contentVisibilityAuto: false })) continue;
    const behind = ground(element);
    const [a, b] = [luminance(over(rgba(getComputedStyle(element).color), behind)), luminance(behind)];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < worst.ratio) worst = { ratio, text: node.textContent.trim().slice(0, 60) };
  }
  return worst;
}"""
# Charts as a phone shows them: which scroll sideways, whose letters are too small, lie outside, or on each other. Letters at 45° are
# not of the last, because their boxes overlap where they do not.
CHARTS = """() => [...document.querySelectorAll('.chart')].flatMap((chart) => {
  const shown = [...chart.querySelectorAll('.scroll')].filter((region) => region.checkVisibility());
  if (shown.length !== 1) return [`${chart.id}: ${shown.length} drawings are shown`];
  if (shown[0].classList.contains('only')) return [];
  const faults = shown[0].scrollWidth > shown[0].clientWidth + 1 ? [`${chart.id}: scrolls sideways`] : [];
  const frame = shown[0].querySelector('svg').getBoundingClientRect();
  const texts = [...shown[0].querySelectorAll('svg text')].map((text) => ({
    text: text.textContent, box: text.getBoundingClientRect(), isInCell: !!text.closest('.numbers'), isSlanted: /rotate\\(-45/.test(text.getAttribute('transform') ?? ''),
    size: parseFloat(getComputedStyle(text).fontSize) * frame.width / shown[0].querySelector('svg').viewBox.baseVal.width }));
  for (const { text, box, size, isInCell } of texts) {
    if (size < (isInCell ? 6.3 : 8.5)) faults.push(`${chart.id}: ${text} is ${size} px high`);
    if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1)
      faults.push(`${chart.id}: ${text} lies outside`);
  }
  const level = texts.filter(({ isSlanted }) => !isSlanted);
  level.forEach((a, index) => level.slice(index + 1).forEach((b) => {
    const [x, y] = [Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left), Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top)];
    // A line is higher than its letters.
    if (x > 1 && y > 1 && Math.min(x, y) > 3.5) faults.push(`${chart.id}: ${a.text} and ${b.text} overlap`);
  }));
  return faults;
})"""
# Tables as a phone shows them: which scroll sideways or are cut, and whose values have no name.
CARDS = """() => [...document.querySelectorAll('figure.table table')].flatMap((table) => {
  const [name, scroll] = [table.closest('figure').id, table.closest('.scroll')];
  const cells = [...table.tBodies[0].rows].filter((row) => row.checkVisibility()).flatMap((row) => [...row.cells]);
  const faults = scroll.scrollWidth > scroll.clientWidth + 1 ? [`${name}: scrolls sideways`] : [];
  const cut = cells.find((cell) => cell.getBoundingClientRect().right > innerWidth || cell.scrollWidth > cell.clientWidth + 1);
  if (cut) faults.push(`${name}: ${cut.textContent} is cut`);
  const nameless = cells.find((cell) => cell.tagName === 'TD' && !getComputedStyle(cell, '::before').content.startsWith('"'));
  return nameless ? [...faults, `${name}: ${nameless.textContent} has no name`] : faults;
})"""
# Of the picture of a cloud: the share of it that points cover, and a sum of its colours.
PAINTED = """canvas => { const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  let [covered, sum] = [0, 0];
  for (let i = 0; i < data.length; i += 4) { covered += data[i + 3] > 0 ? 1 : 0; sum = (sum * 31 + data[i] + 3 * data[i + 1] + 7 * data[i + 2]) % 1000003; }
  return [4 * covered / data.length, sum]; }"""
# The first cells of the rows that are shown, in their order.
NAMES = "table => [...table.tBodies[0].rows].filter(row => !row.hidden).map(row => row.cells[0].textContent)"
# Cells of a column as the page's reader would order them: the number behind a cell, or none.
VALUES = """(table, column) => [...table.tBodies[0].rows].map(row => {
  const cell = row.cells[column];
  const number = cell.dataset.value ?? (cell.textContent.replace("\\u2212", "-").match(/^\\s*[+-]?[\\d.]+(e[+-]?\\d+)?/i) ?? [])[0];
  return number === undefined ? null : Number(number);
})"""


class Check:
    """A page, what is wrong with it, and what was looked at."""

    def __init__(self, browser, path, screenshots, slowest):
        self.browser, self.path, self.slowest = browser, path.resolve(), slowest
        self.screenshots = screenshots / path.resolve().parent.name if screenshots else None
        # Whether it shows a chart that tries to run: the page must not let it, and must say so.
        self.is_hostile = "spy.png" in path.read_text(encoding="utf-8")
        self.faults, self.done = [], []

    def expect(self, truth, words):
        if not truth:
            self.faults.append(words)

    def open(self, label, width=1360, height=900, **options):
        context = self.browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce", **options)
        page = context.new_page()
        page.on("console", lambda message: message.type in ("error", "warning") and self.console(label, message.text))
        page.on("pageerror", lambda error: self.faults.append(f"{label}: script error: {error}"))
        page.on("requestfinished", lambda request: self.request(label, request))
        page.on("requestfailed", lambda request: self.request(label, request))
        page.goto(self.path.as_uri(), wait_until="load")
        return page

    def console(self, label, text):
        # What a foreign chart tries is refused, and Chromium reports the refusal.
        if not (self.is_hostile and "Content Security Policy" in text):
            self.faults.append(f"{label}: console: {text}")

    def request(self, label, request):
        refused = self.is_hostile and request.failure == "csp"
        # A table that is saved is a blob of the page.
        own = request.url == self.path.as_uri() or request.url.startswith(("data:", "blob:"))
        self.expect(own or refused, f"{label}: asks for {request.url}")

    def shoot(self, page, name, **options):
        if self.screenshots:
            self.screenshots.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=self.screenshots / f"{name}.png", **options)

    def size_and_time(self):
        size = self.path.stat().st_size
        self.expect(size < LARGEST_PAGE, f"{size / 1e6:.1f} MB, more than {LARGEST_PAGE / 1e6:.0f}")
        start = time.monotonic()
        page = self.open("load")
        page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
        seconds = time.monotonic() - start
        self.expect(seconds < self.slowest, f"opens in {seconds:.2f} s, more than {self.slowest:.1f}")
        self.done.append(f"{size / 1e6:.2f} MB, opens in {seconds:.2f} s")
        page.context.close()

    def structure(self, page):
        title = page.evaluate("document.querySelector('h1').textContent")
        badge = page.evaluate("document.querySelector('.badge strong')?.textContent")
        meant = f"{badge} · {title}" if badge else title
        self.expect(page.title() == meant, f"the title is {page.title()!r}, the heading {title!r}")
        self.expect(page.evaluate("document.scripts.length") == 1, "more than its own script")
        self.expect(page.evaluate("document.documentElement.classList.contains('scripted')"), "its script does not run")
        levels = page.evaluate("[...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].filter(h => h.checkVisibility()).map(h => +h.tagName[1])")
        jumps = [(a, b) for a, b in zip(levels, levels[1:]) if b > a + 1]
        self.expect(levels[:1] == [1] and levels.count(1) == 1 and not jumps, f"headings are out of order: {jumps or levels[:3]}")
        broken = page.evaluate("[...document.querySelectorAll('a[href^=\"#\"]')].map(a => decodeURIComponent(a.getAttribute('href').slice(1)))"
                               ".filter(id => !document.getElementById(id))")
        self.expect(not broken, f"links lead nowhere: {broken}")
        twice = page.evaluate("{ const ids = [...document.querySelectorAll('[id]')].map(e => e.id); ids.filter((id, i) => ids.indexOf(id) !== i) }")
        self.expect(not twice, f"ids occur twice: {twice[:5]}")

    def keyboard(self, page):
        page.keyboard.press("Tab")
        self.expect(page.evaluate("document.activeElement.className") == "skip", "the first stop of Tab is not a skip link")
        page.keyboard.press("Enter")
        self.expect(page.evaluate("document.activeElement.id") == "page-main", "the skip link does not lead to the content")

    def sorting(self, page):
        tables = page.query_selector_all("figure.table table")
        count = 0
        for table in tables:
            buttons = table.query_selector_all("thead th button")
            if table.evaluate("t => t.tBodies[0].rows.length") > 1:
                self.expect(buttons, f"{table.get_attribute('aria-labelledby')} cannot be sorted")
            if not buttons or not table.is_visible():
                continue
            original = table.evaluate(NAMES)
            numeric = table.evaluate("t => [...t.tHead.rows[0].cells].findIndex(c => c.classList.contains('number'))")
            for column in {0, numeric if numeric >= 0 else 0}:
                self.sort_column(page, table, buttons[column], column, numeric == column, original)
                count += 1
        self.done.append(f"{len(tables)} tables, {count} columns sorted")

    def sort_column(self, page, table, button, column, is_numeric, original):
        def state():
            return table.evaluate("(t, c) => t.tHead.rows[0].cells[c].getAttribute('aria-sort')", column)
        name = f"column {column} of {table.get_attribute('aria-labelledby')}"
        for key, direction in [("Enter", "ascending"), (" ", "descending")]:
            button.focus()
            page.keyboard.press("Space" if key == " " else key)
            self.expect(state() == direction, f"{name}: {key!r} gives aria-sort {state()}, not {direction}")
            values = table.evaluate(VALUES, column) if is_numeric else None
            if values:
                known = [value for value in values if value is not None]
                ordered = sorted(known, reverse=direction == "descending")
                self.expect(values == ordered + [None] * (len(values) - len(known)), f"{name}: not {direction}: {values[:9]}")
            said = page.inner_text("#page-status")
            self.expect(direction in said, f"{name}: a screen reader is told {said!r}")
        # A click anywhere on the heading does what the button does.
        button.evaluate("button => button.closest('th').click()")
        self.expect(state() is None and table.evaluate(NAMES) == original, f"{name}: the third press does not restore the order")

    def filtering(self, page):
        fields = [field for field in page.query_selector_all(".tools input") if field.is_visible()]
        for field in fields:
            figure = field.evaluate_handle("e => e.closest('figure')").as_element()
            table = figure.query_selector("table")
            names = table.evaluate(NAMES)
            word = max(names[-1].lower().split(), key=len, default="")
            field.focus()
            page.keyboard.insert_text(word)
            shown = table.evaluate(NAMES)
            wanted = f"{len(shown)} of {len(names)} rows"
            self.expect(0 < len(shown) <= len(names) and names[-1] in shown, f"filter {word!r} leaves {len(shown)} rows")
            self.expect(figure.query_selector("output").inner_text() == wanted, f"filter: not {wanted!r}")
            field.fill("no row says this")
            self.expect(table.evaluate(NAMES) == [], "a filter that nothing fits leaves rows")
            field.fill("")
            self.expect(table.evaluate(NAMES) == names, "an empty filter hides rows")
        self.done.append(f"{len(fields)} filters")

    def gallery(self, page):
        viewers = page.query_selector_all(".viewer")
        for viewer in viewers:
            wipe, (left, right, size) = viewer.query_selector("input[type=range]"), viewer.query_selector_all("select")
            over, under = viewer.query_selector_all(".plane img")[::-1]
            wipe.focus()
            page.keyboard.press("Home")
            self.expect(wipe.input_value() == "0" and "inset(0px 0px 0px 0%)" in over.evaluate("e => e.style.clipPath"),
                        "Home does not uncover the right picture")
            for _ in range(3):
                page.keyboard.press("ArrowRight")
            self.expect("3%" in over.evaluate("e => e.style.clipPath") and "3 %" in wipe.get_attribute("aria-valuetext"),
                        "arrow keys do not move the boundary, or do not say so")
            before = under.evaluate("e => e.src")
            roles = left.evaluate("e => [...e.options].map(o => o.value)")
            left.focus()
            page.keyboard.press("End")
            self.expect(left.input_value() == roles[-1], "the left picture cannot be chosen by keyboard")
            self.expect(under.evaluate("e => e.src") != before or len(set(self.sources(page))) == 1, "another role, the same picture")
            apart = page.evaluate("""([a, b]) => { const [p, q] = [a.getBoundingClientRect(), b.getBoundingClientRect()];
              return Math.hypot(p.x - q.x, p.y - q.y, p.width - q.width, p.height - q.height); }""", [over, under])
            self.expect(apart < 0.01, f"the pictures do not lie on each other: {apart} pixels apart")
            radios = viewer.query_selector_all("input[type=radio]")
            if len(radios) > 1:
                radios[0].focus()
                page.keyboard.press("ArrowDown")
                self.expect(radios[1].is_checked(), "frames cannot be chosen by arrow keys")
            shown = page.evaluate("[...document.querySelectorAll('.frame')].filter(f => f.checkVisibility()).length")
            self.expect(shown == len(viewers), f"{shown} frames are shown, not one for each gallery")
            page.wait_for_function("() => [...document.querySelectorAll('.plane img')].every(i => i.complete && i.naturalWidth > 0)")
            size.select_option("2")
            wide = viewer.query_selector(".plane").bounding_box()["width"]
            natural = over.evaluate("e => e.naturalWidth")
            self.expect(abs(wide - 2 * natural) < 1, f"at 200 % a picture of {natural} is {wide} wide")
            size.select_option("fit")
            plane = viewer.query_selector(".plane")
            plane.scroll_into_view_if_needed()
            box = plane.bounding_box()
            page.mouse.move(box["x"] + 0.25 * box["width"], box["y"] + box["height"] / 2)
            page.mouse.down()
            page.mouse.move(box["x"] + 0.75 * box["width"], box["y"] + box["height"] / 2)
            page.mouse.up()
            self.expect(abs(int(wipe.input_value()) - 75) <= 1, f"dragging to three quarters gives {wipe.input_value()}")
            sides = viewer.evaluate("v => [...v.querySelectorAll('.legends .scale')].filter(s => s.checkVisibility()).map(s => s.querySelector('.side').textContent)")
            self.expect(all(side == "Both sides" or side.startswith(("Left: ", "Right: ")) for side in sides), f"colour bars name no side: {sides}")
        self.done.append(f"{len(viewers)} galleries compared")

    def cloud(self, page):
        """The points of the worst frame turn and zoom by keys, by buttons and by dragging, and say how they stand."""
        canvases = page.query_selector_all(".cloud canvas")
        if not canvases:
            return
        canvas, seen = canvases[0], []
        page.query_selector(".viewer input[type=radio]").check()
        canvas.scroll_into_view_if_needed()

        def look(words, changed=True):
            page.wait_for_timeout(100)
            share, total = canvas.evaluate(PAINTED)
            self.expect(share > 0.02, f"cloud, {words}: points cover {share:.1%} of the picture")
            self.expect(not seen or (total != seen[-1]) == changed, f"cloud, {words}: the picture {'stays' if changed else 'changes'}")
            seen.append(total)
            return share
        first = look("at first")
        self.expect("points in space" in canvas.get_attribute("aria-label"), "the cloud has no words")
        canvas.focus()
        for key in ("ArrowRight", "ArrowUp"):
            page.keyboard.press(key)
            look(key)
        self.expect("5°" in page.inner_text("#page-status"), f"the cloud says {page.inner_text('#page-status')!r}")
        self.shoot(page, "cloud")
        page.keyboard.press("+")
        look("+")
        page.mouse.move(*[a + b / 2 for a, b in zip(*[[canvas.bounding_box()[k] for k in keys] for keys in (("x", "y"), ("width", "height"))])])
        page.mouse.wheel(0, -100)
        look("wheel")
        page.mouse.down()
        page.mouse.move(canvas.bounding_box()["x"] + 20, canvas.bounding_box()["y"] + 20, steps=3)
        page.mouse.up()
        look("dragging")
        page.keyboard.press("Home")
        self.expect(abs(look("Home") - first) < 1e-9 and seen[-1] == seen[0], "Home does not show the camera's view")
        kinds = page.query_selector_all(".cloud option")
        if len(kinds) > 1:
            page.select_option(".cloud select", index=1)
            look("other colours")
        for canvas in canvases[1:]:
            canvas.scroll_into_view_if_needed()
            page.wait_for_timeout(100)
            self.expect(canvas.evaluate(PAINTED)[0] > 0.02, "the cloud of a scene is empty")
        data = page.evaluate("[...document.querySelectorAll('.cloud')].reduce((sum, cloud) => sum + cloud.dataset.bytes.length, 0)")
        self.expect(data < 0.5e6, f"the clouds have {data} bytes")
        self.done.append(f"{len(canvases)} clouds of {data / 1e3:.0f} kB")

    def frames(self, page):
        """From the first section to a frame: by its link, and by the marks of the chart of every frame."""
        ways = page.query_selector_all(".ways a")
        marks = page.query_selector_all("#chart-error-over-time .wide svg a, #chart-error-over-time .only svg a")
        for way in ways:
            way.scroll_into_view_if_needed()
            way.click()
            target = way.get_attribute("href")[1:]
            self.expect(self.is_in_view(page, target), f"{target} is not in view after a click on its link")
        if not marks:
            return
        table = page.query_selector("#table-frame-errors table")
        self.expect(table, "the chart of every frame has no table below it")
        # The highest mark, and one of each kind of place that marks lead to.
        kinds = {}
        for mark in sorted(marks, key=lambda m: m.bounding_box()["y"]):
            kinds.setdefault(mark.get_attribute("href").split("-")[0], mark)
        for mark in kinds.values():
            mark.scroll_into_view_if_needed()
            box = mark.bounding_box()
            page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            target = page.evaluate("decodeURIComponent(location.hash.slice(1))")
            self.expect(self.is_in_view(page, target), f"{target} is not in view after a click on its mark")
            name = page.evaluate("id => document.getElementById(id).textContent.trim()", target)
            said = mark.query_selector("title").text_content().split(":")[0]
            self.expect(said in name, f"the mark of {said} leads to {name!r}")
            if target.startswith("gallery-"):
                shown = page.evaluate("[...document.querySelectorAll('.frame')].filter(f => f.checkVisibility()).map(f => f.textContent)")
                self.expect(len(shown) == 1 and said in shown[0], f"the gallery does not show {said}")
            else:
                row = page.evaluate("id => document.getElementById(id).closest('tr').textContent", target)
                self.expect("fathom render" in row or "in the gallery" in row, f"the row of {said} leads no further: {row!r}")
        self.done.append(f"{len(ways)} ways from the top, {len(marks)} marks of frames")

    def linked(self, page):
        """One picker marks a method everywhere; frames are shown and selected by keys and by dragging, and their table follows."""
        picker = page.query_selector(".page-choices select")
        if picker:
            name = picker.evaluate("s => s.options[s.options.length - 1].value")
            picker.focus()
            page.keyboard.press("End")
            self.expect(picker.input_value() == name and name in page.inner_text("#page-status"), "a method cannot be picked by keyboard")
            marked = page.evaluate("[...document.querySelectorAll('tr.picked')].filter(r => !r.cells[0].textContent.includes("
                                   "document.querySelector('.page-choices select').value)).length")
            self.expect(page.query_selector("tr.picked, td.picked") and not marked, f"{name} is not highlighted alone in tables")
            drawn = page.evaluate("[...document.querySelectorAll('.chart svg')].filter(s => s.querySelector('text.picked')).length")
            self.expect(drawn > 0, f"{name} is not highlighted in charts")
            page.keyboard.press("Home")
            self.expect(not page.query_selector(".picked, .faded"), "without a method something stays highlighted")
        # One colour for a method in all charts that draw it as a line of its own.
        colours = page.evaluate("""() => { const found = {};
          document.querySelectorAll('.chart:not([id^="chart-objects"]) .wide g.series[data-layer=values]').forEach(g => {
            const name = g.dataset.series.replace(/ \\(.*\\)$/, '').replace(/, (by|at) .*$/, '');
            const look = (g.outerHTML.match(/(?:fill|stroke)-(series-\\d)/) ?? [])[1];
            if (look) (found[name] ??= new Set()).add(look); });
          return Object.entries(found).map(([name, looks]) => [name, [...looks]]).filter(([, looks]) => looks.length > 1); }""")
        self.expect(not colours, f"a method has several colours: {colours}")
        slider, table = page.query_selector(".strip input"), page.query_selector("#table-frame-errors table")
        if not slider:
            return
        total = table.evaluate("t => t.tBodies[0].rows.length")
        listed = "() => [...document.querySelectorAll('#table-frame-errors tbody tr')].filter(r => getComputedStyle(r).display !== 'none').length"
        slider.focus()
        page.keyboard.press("Home")
        first = page.inner_text(".frame-shown")
        page.keyboard.press("ArrowRight")
        place = page.inner_text(".frame-shown strong")
        self.expect(page.inner_text(".frame-shown") != first and place in slider.get_attribute("aria-valuetext"), "an arrow key shows no other frame")
        page.keyboard.press("Shift+ArrowLeft")
        self.expect(page.evaluate(listed) == min(2, total) and "2 of" in page.inner_text("#page-status"), f"Shift and an arrow key select {page.evaluate(listed)} frames, not 2")
        others = page.evaluate("[...document.querySelectorAll('figure.chart')].filter(f => f.id !== 'chart-error-over-time' && !f.querySelector('.scope')).map(f => f.id)")
        self.expect(not others, f"charts do not say that they show all frames: {others}")
        page.keyboard.press("Escape")
        self.expect(page.evaluate(listed) == total and not page.query_selector(".scope"), "Escape does not show all frames")
        drawing = page.query_selector("#chart-error-over-time .wide svg, #chart-error-over-time .only svg")
        drawing.scroll_into_view_if_needed()
        box, before = drawing.bounding_box(), page.url
        page.mouse.move(box["x"] + 0.15 * box["width"], box["y"] + box["height"] / 2)
        page.mouse.down()
        page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + box["height"] / 2, steps=4)
        page.mouse.move(box["x"] + 0.97 * box["width"], box["y"] + box["height"] / 2, steps=4)
        page.mouse.up()
        self.expect(page.evaluate(listed) == total if total < 2 else page.evaluate("document.querySelectorAll('.scope').length") > 0 and page.url == before,
                    "dragging selects no frames")
        self.shoot(page, "strip")
        page.click(".page-choices button")
        self.expect(page.evaluate(listed) == total, "the button does not show all frames")
        self.done.append(f"{total} frames shown and selected")

    def helps(self, page):
        """Commands are copied, definitions shown, tables saved."""
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        copy = next((button for button in page.query_selector_all(".copy") if button.is_visible()), None)
        if copy:
            copy.focus()
            page.keyboard.press("Enter")
            page.wait_for_function("() => document.querySelector('#page-status').textContent.startsWith('Copied')")
            command = copy.get_attribute("aria-label").removeprefix("Copy ")
            self.expect(page.evaluate("navigator.clipboard.readText()") == command, "the button copies something else")
        link = next((link for link in page.query_selector_all('a[href^="#definition-"]') if link.is_visible()), None)
        if link:
            link.focus()
            tip, row = page.query_selector("#page-tip"), link.evaluate("a => document.getElementById(a.hash.slice(1)).closest('tr').cells[0].textContent")
            self.expect(tip.is_visible() and row.split(" ")[0] in tip.inner_text() and link.get_attribute("aria-describedby"), "a link shows no definition")
            page.keyboard.press("Escape")
            self.expect(not tip.is_visible(), "Escape does not close a definition")
        button = next((button for button in page.query_selector_all(".csv") if button.is_visible()), None)
        if button:
            with page.expect_download() as saved:
                button.click()
            lines = list(csv.reader(saved.value.path().read_text(encoding="utf-8").splitlines()))
            rows = button.evaluate("b => b.closest('figure').querySelector('tbody').rows.length")
            self.expect(len(lines) == rows + 1 and len({len(line) for line in lines}) == 1, f"CSV: {len(lines)} lines of {rows} rows")

    def is_in_view(self, page, target):
        page.wait_for_timeout(50)
        box = page.evaluate("""id => { const e = document.getElementById(id);
          const shown = e?.closest('.frame') ? e.closest('.gallery').querySelector('.viewer') : e;
          const b = shown?.getBoundingClientRect(); return b && [b.top, b.bottom, innerHeight]; }""", target)
        return bool(box) and box[1] > 0 and box[0] < box[2]

    def sources(self, page):
        return page.evaluate("[...document.querySelectorAll('.pictures img')].map(i => i.src)")

    def accessible(self, page, label):
        for details in page.query_selector_all("main details"):
            details.evaluate("e => { e.open = true; }")
        page.mouse.move(0, 0)
        found = Axe().run(page).response["violations"]
        for violation in found:
            if violation["impact"] in ("serious", "critical"):
                self.faults.append(f"{label}: axe: {violation['id']}: {violation['help']}: {violation['nodes'][0]['html'][:160]}")
        worst = page.evaluate(CONTRAST)
        self.expect(worst["ratio"] >= 4.5, f"{label}: contrast {worst['ratio']:.2f}: {worst['text']!r}")
        mild = sorted({violation["id"] for violation in found if violation["impact"] not in ("serious", "critical")})
        self.done.append(f"{label}: contrast {worst['ratio']:.2f}" + (f", axe also says {', '.join(mild)}" if mild else ""))

    def phone(self):
        page = self.open("phone", 360, 760, is_mobile=True, has_touch=True, device_scale_factor=2)
        page.wait_for_timeout(200)
        width = page.evaluate("document.documentElement.scrollWidth")
        self.expect(width <= 360, f"phone: the page is {width} wide, not 360")
        self.expect(page.evaluate("document.querySelector('.contents details').open") is False, "phone: the contents are unfolded")
        self.expect(page.evaluate("visualViewport.scale") == 1, "phone: the page is shrunk")
        for details in page.query_selector_all("main details"):
            details.evaluate("e => { e.open = true; }")
        charts = page.evaluate(CHARTS)
        self.expect(not charts, f"phone: {charts[:5]}")
        cards = page.evaluate(CARDS)
        self.expect(not cards, f"phone: {cards[:5]}")
        self.done.append(f"{len(page.query_selector_all('.chart'))} charts on a phone")
        self.shoot(page, "phone")
        self.shoot(page, "phone-whole", full_page=True)
        page.context.close()

    def dark(self):
        page = self.open("dark", color_scheme="dark")
        light = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
        self.expect(max(light) < 64, f"dark: the ground is {light}")
        self.shoot(page, "dark")
        frames = page.query_selector(".gallery")
        if frames:
            frames.scroll_into_view_if_needed()
            self.shoot(page, "dark-gallery")
        self.accessible(page, "dark")
        page.context.close()

    def paper(self):
        page = self.open("paper")
        wanted = page.evaluate("[...document.querySelectorAll('main h2, main h3, main h4')].map(h => h.textContent)")
        rows = page.evaluate("[...document.querySelectorAll('.table tbody tr')].length")
        pdf = page.pdf(prefer_css_page_size=True)
        if self.screenshots:
            (self.screenshots / "print.pdf").write_bytes(pdf)
        reader = PdfReader(io.BytesIO(pdf))
        sheets = [squeezed(sheet.extract_text()) for sheet in reader.pages]
        text = "".join(sheets)
        # A heading of another script, or with controls, is not read back from a PDF as it was written.
        missing = [heading for heading in wanted if heading.isascii() and squeezed(heading) not in text]
        self.expect(not missing, f"paper: sections are missing: {missing[:3]}")
        # A page holds fewer than 100 rows, so a long table has its head on at least this many.
        for name, length in page.evaluate("[...document.querySelectorAll('.table table')].map(t => "
                                          "[t.tHead.rows[0].cells[1]?.innerText.trim() ?? '', t.tBodies[0].rows.length])"):
            heads = sum(squeezed(name.split("\n")[0].rstrip("↓↑ ")) in sheet for sheet in sheets)
            self.expect(heads >= length // 100, f"paper: the head {name!r} of {length} rows is on {heads} pages")
        pictures = page.evaluate("document.querySelectorAll('.pictures img').length")
        third = page.evaluate("document.querySelector('main:has(.overview) > #findings')?.parentElement.querySelectorAll(':scope > section')[2]?.querySelector('h2').textContent")
        starts = [index for index, sheet in enumerate(sheets) if third and squeezed(third) in sheet[:len(squeezed(third)) + 4]]
        self.expect(not third or 1 <= (starts or [0])[0] <= 2, f"paper: the summary does not end with page 2: {starts}")
        lost = [s for s in page.evaluate("[...document.querySelectorAll('li.beyond')].map(l => l.firstChild).filter(c => c.tagName === 'CODE').map(c => c.textContent)") if squeezed(s + ":") not in text]
        self.expect(not lost, f"paper: methods beyond the summary are lost: {lost}")
        drawn = sum(len(sheet.images) for sheet in reader.pages) if pictures else 0
        self.expect(drawn >= min(pictures, 1), f"paper: {drawn} of {pictures} pictures")
        page.context.close()
        # The width between the margins of A4, as `@page` sets them, in CSS pixels.
        page = self.open("paper", int(182 / 25.4 * 96), 1000)
        page.emulate_media(media="print")
        page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
        wide = page.evaluate("[...document.querySelectorAll('table')].map(t => [t.getAttribute('aria-labelledby'), t.offsetWidth, "
                             "t.closest('.scroll').clientWidth]).filter(([_, w, room]) => w > room + 1)")
        self.expect(not wide, f"paper: tables are cut off: {wide}")
        page.context.close()
        self.done.append(f"{len(reader.pages)} pages of A4, {rows} rows, {drawn} pictures")

    def without_script(self):
        page = self.open("no script", java_script_enabled=False)
        self.shoot(page, "no-script")
        # What is folded away opens without a script, too.
        headings = page.query_selector_all("main h2, main h3:not(details h3), main h4:not(details h4)")
        hidden = [heading.text_content() for heading in headings if not heading.is_visible()]
        self.expect(not hidden, f"without a script headings are hidden: {hidden[:3]}")
        images = page.query_selector_all(".pictures img")
        self.expect(all(image.is_visible() for image in images), "without a script pictures are hidden")
        clouds = page.query_selector_all(".cloud figcaption")
        self.expect(all(words.is_visible() for words in clouds), "without a script the words of a cloud are hidden")
        page.context.close()

    def run(self):
        self.size_and_time()
        page = self.open("light")
        self.shoot(page, "light")
        self.shoot(page, "light-whole", full_page=True)
        self.structure(page)
        self.keyboard(page)
        self.sorting(page)
        self.filtering(page)
        self.gallery(page)
        self.cloud(page)
        self.frames(page)
        self.linked(page)
        self.helps(page)
        frames = page.query_selector(".gallery")
        if frames:
            frames.scroll_into_view_if_needed()
            self.shoot(page, "light-gallery")
        self.accessible(page, "light")
        page.context.close()
        self.dark()
        self.phone()
        self.paper()
        self.without_script()
        return self.faults


def squeezed(text):
    """Text without spaces, and with the ligatures of the font (fi, ff) as letters."""
    return "".join(unicodedata.normalize("NFKC", text).split())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("reports", nargs="+", type=pathlib.Path)
    parser.add_argument("--screenshots", type=pathlib.Path, help="a folder for pictures of the pages and their print")
    parser.add_argument("--chromium", default=next(filter(None, map(shutil.which, BROWSERS)), None))
    # The promise is 2 s on a laptop; a loaded machine of a continuous integration may need more.
    parser.add_argument("--slowest-load", type=float, default=6)
    arguments = parser.parse_args()
    if not arguments.chromium:
        sys.exit(f"no browser: install one of {', '.join(BROWSERS)}, or name it with --chromium")
    bad = 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=arguments.chromium, args=["--no-sandbox"])
        for path in arguments.reports:
            check = Check(browser, path, arguments.screenshots, arguments.slowest_load)
            faults = check.run()
            for fault in faults:
                print(f"{path}: {fault}", file=sys.stderr)
            bad += bool(faults)
            print(f"{path}: {len(faults)} faults; " + "; ".join(check.done))
        browser.close()
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
