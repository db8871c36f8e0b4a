"""The README's picture of a report: the head of the page and its gallery, side by side, as Chromium shows them.

    draw_report.py Reports/demo/report.html Reports/demo-report.png
"""

import io
import pathlib
import shutil
import sys

from PIL import Image
from playwright.sync_api import sync_playwright

WIDTH, HEIGHT = 1240, 1560
SCALE = 0.62


def shots(page_path):
    """The top of the page, and the gallery, as images of one height."""
    browser_path = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        page.goto(pathlib.Path(page_path).resolve().as_uri())
        head = page.screenshot()
        page.locator("#frames").evaluate("e => e.scrollIntoView({behavior: 'instant'})")
        page.wait_for_timeout(500)
        gallery = page.screenshot()
        browser.close()
    return [Image.open(io.BytesIO(shot)).convert("RGB") for shot in (head, gallery)]


def main(page_path, output):
    images = shots(page_path)
    size = (round(WIDTH * SCALE), round(HEIGHT * SCALE))
    gap = 12
    picture = Image.new("RGB", (2 * size[0] + gap, size[1]), (225, 228, 232))
    for index, image in enumerate(images):
        picture.paste(image.resize(size, Image.Resampling.LANCZOS), (index * (size[0] + gap), 0))
    # A palette: the page has few colours, and the file a third of the size.
    picture.quantize(256, dither=Image.Dither.NONE).save(output, optimize=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
