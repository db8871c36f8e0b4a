"""Writes golden/colour_maps.json: colours of Matplotlib's viridis and turbo and of Crameri's vik, for the Swift tests.

    make_colour_maps.py            needs draw_requirements.txt
    make_colour_maps.py --check    exit 1 where the file differs from a fresh computation

`shares` are 0…1, and `maps.<name>` the sRGB colours 0…1 that Matplotlib gives them, three numbers each.
"""

import json
import sys
from pathlib import Path

import numpy as np
from cmcrameri import cm
from matplotlib import colormaps

FILE = Path(__file__).parent / "golden" / "colour_maps.json"


def compute() -> dict:
    # Not only the table's own entries: also between them, at their borders and beyond the ends.
    shares = [-0.5, *np.linspace(0, 1, 97).round(6).tolist(), 0.5 / 256, 127 / 256, 255.5 / 256, 1.5]
    tables = {"viridis": colormaps["viridis"], "turbo": colormaps["turbo"], "vik": cm.vik}
    maps = {name: [list(map(float, table(share)[:3])) for share in shares] for name, table in tables.items()}
    return {"shares": shares, "maps": maps}


def main() -> int:
    text = json.dumps(compute(), indent=1) + "\n"
    if sys.argv[1:] == ["--check"]:
        if FILE.read_text() == text:
            return 0
        print(f"{FILE} differs from a fresh computation", file=sys.stderr)
        return 1
    FILE.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
