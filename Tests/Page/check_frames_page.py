"""Opens the page of `fathom frames` from the disk in headless Chromium and uses it: filters, orders, opens a frame.

    check_frames_page.py FOLDER [--screenshots FOLDER] [--chromium PATH]

Everything is compared with rows.js, which is read here by itself. The page may ask for files of its folder only; names that look like
markup must stay text. Ends with 1 and words where something is not so.
"""
import argparse
import json
import pathlib
import re
import shutil
import sys

from playwright.sync_api import sync_playwright

BROWSERS = ["chromium", "chromium-browser", "google-chrome"]
HOSTILE = "</script><img src=x onerror=window.broken=1>"


def rows_of(folder):
    text = (folder / "rows.js").read_text(encoding="utf-8")
    return json.loads(re.fullmatch(r"window\.fathomFrames = (.*);\n", text, re.S)[1].replace("<\\/", "</"))


def use(browser, folder, shots, faults):
    def expect(truth, words):
        if not truth:
            faults.append(words)

    rows = rows_of(folder)
    frames, method = rows["frames"], rows["method"]
    asked = []
    context = browser.new_context(viewport={"width": 1360, "height": 900}, reduced_motion="reduce")
    page = context.new_page()
    page.on("console", lambda m: m.type in ("error", "warning") and faults.append(f"console: {m.text}"))
    page.on("pageerror", lambda e: faults.append(f"script: {e}"))
    page.on("request", lambda r: asked.append(r.url))
    page.on("requestfailed", lambda r: faults.append(f"failed: {r.url}"))
    page.goto((folder / "index.html").resolve().as_uri(), wait_until="load")

    def shown():
        return [int(i.removeprefix("frame-")) for i in page.evaluate("[...document.querySelectorAll('.card')].map(c => c.id)")]

    def value(frame, column=0):
        return frame["values"][method][column]

    def ordered(chosen, sign):
        known = [f for f in chosen if value(f) is not None]
        return [f["number"] for f in sorted(known, key=lambda f: sign * value(f)) + [f for f in chosen if value(f) is None]]

    expect(shown() == ordered(frames, -1)[:60], "frames are not from the worst to the best")
    page.select_option("select[name=order]", "best")
    expect(shown() == ordered(frames, 1)[:60], "frames are not from the best to the worst")
    page.select_option("select[name=order]", "time")
    expect(shown() == [f["number"] for f in frames][:60], "frames are not in the order of time")
    scene = frames[-1]["scene"]
    page.select_option("select[name=scene]", label=scene)
    expect(shown() == [f["number"] for f in frames if f["scene"] == scene][:60], f"the filter of {scene} shows other frames")
    page.select_option("select[name=scene]", "")
    shares = sorted(f["highConfidence"] for f in frames if f.get("highConfidence") is not None)
    if shares:
        middle = shares[len(shares) // 2]
        page.fill("input[name=least]", str(middle))
        wanted = [f["number"] for f in frames if f.get("highConfidence") is not None and f["highConfidence"] >= middle]
        expect(shown() == wanted[:60], "the filter by confidence shows other frames")
        page.fill("input[name=least]", "")
    images = page.query_selector_all(".card img")
    images[0].scroll_into_view_if_needed()
    page.wait_for_function("() => document.querySelector('.card img').naturalWidth > 0")
    if shots:
        page.evaluate("scrollTo(0, 0)")
        page.wait_for_timeout(300)
        page.screenshot(path=shots / "frames.png")
    number = shown()[0]
    page.click(f"#frame-{number}")
    dialog = page.query_selector("dialog[open]")
    expect(dialog, "a click on a frame does not open it")
    frame = next(f for f in frames if f["number"] == number)
    expect(page.inner_text("#closer-title") == f"{frame['scene']}/{frame['frame']}", "another frame is opened")
    expect(frame["command"] in dialog.inner_text(), "the frame does not say how to draw it")
    expect(len(dialog.query_selector_all(".views img")) == len(frame["pictures"]), "pictures are missing")
    expect(page.evaluate("location.hash") == f"#frame-{number}", "the address does not lead back to the frame")
    page.wait_for_function("() => [...document.querySelectorAll('.views img')].every(i => i.naturalWidth > 0)")
    if shots:
        page.screenshot(path=shots / "frame.png")
    page.keyboard.press("Escape")
    expect(not page.query_selector("dialog[open]"), "Escape does not close the frame")
    base = folder.resolve().as_uri() + "/"
    away = [u for u in asked if not u.startswith(base)]
    expect(not away, f"asks for files elsewhere: {away[:3]}")
    expect(page.evaluate("window.broken") is None, "a name became markup")
    context.close()
    for label, options in [("phone", {"viewport": {"width": 360, "height": 760}, "is_mobile": True, "has_touch": True}),
                           ("dark", {"color_scheme": "dark", "viewport": {"width": 1360, "height": 900}})]:
        context = browser.new_context(reduced_motion="reduce", **options)
        page = context.new_page()
        page.goto((folder / "index.html").resolve().as_uri() + f"#frame-{number}", wait_until="load")
        expect(page.query_selector("dialog[open]"), f"{label}: the address of a frame does not open it")
        page.keyboard.press("Escape")
        width = page.evaluate("document.documentElement.scrollWidth")
        expect(width <= options["viewport"]["width"], f"{label}: the page is {width} wide")
        if shots:
            page.wait_for_timeout(300)
            page.screenshot(path=shots / f"frames-{label}.png")
        context.close()
    return len(frames)


def hostile(folder):
    """The same page with names that look like markup."""
    copy = folder.with_name(folder.name + "-hostile")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(folder, copy)
    rows = rows_of(copy)
    for frame in rows["frames"]:
        if frame["scene"] == rows["frames"][-1]["scene"]:
            frame["reasons"] = {rows["method"]: HOSTILE}
            frame["frame"] = HOSTILE
    text = json.dumps(rows).replace("</", "<\\/")
    (copy / "rows.js").write_text(f"window.fathomFrames = {text};\n", encoding="utf-8")
    return copy


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--screenshots", type=pathlib.Path)
    parser.add_argument("--chromium", default=next(filter(None, map(shutil.which, BROWSERS)), None))
    arguments = parser.parse_args()
    if not arguments.chromium:
        sys.exit(f"no browser: install one of {', '.join(BROWSERS)}, or name it with --chromium")
    if arguments.screenshots:
        arguments.screenshots.mkdir(parents=True, exist_ok=True)
    faults = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=arguments.chromium, args=["--no-sandbox"])
        count = use(browser, arguments.folder, arguments.screenshots, faults)
        copy = hostile(arguments.folder)
        use(browser, copy, None, faults)
        shutil.rmtree(copy)
        browser.close()
    for fault in faults:
        print(f"{arguments.folder}: {fault}", file=sys.stderr)
    print(f"{arguments.folder}: {count} frames, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
