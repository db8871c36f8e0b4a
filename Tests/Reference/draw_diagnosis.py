"""Draws the README's evidence picture: breaks a copy of the demo, diagnoses it, and stores one picture with fewer colours.

    draw_diagnosis.py FATHOM Datasets/demo.h5 Reports/demo-diagnosis.png
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
from PIL import Image

COLOURS = 96


def main(fathom: str, data: str, picture: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        broken, output = Path(folder) / "broken.h5", Path(folder) / "diagnosis"
        shutil.copyfile(data, broken)
        with h5py.File(broken, "r+") as f:
            f["scenes/room-02/camera/world_from_camera"].attrs["convention"] = "opencv"
        subprocess.run(
            [fathom, "diagnose", broken, "--scenes", "room-02", "--output", output, "--quiet"], check=True)
        image = Image.open(output / "room-02-pose-convention.png").convert("RGB")
        image.quantize(COLOURS, dither=Image.Dither.NONE).save(picture, optimize=True)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
