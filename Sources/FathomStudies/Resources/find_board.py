"""Finds the corners of a printed ChArUco board in pictures.

    python3 find_board.py REQUEST.json

The request holds the board and the pictures: scene, frame, file. Prints them with their corners as JSON, pixels from the centre of the first
pixel. Exit: 3 OpenCV is missing or too old. Its own lines begin with "fathom:".
"""

import json
import sys

try:
    import cv2

    cv2.aruco.CharucoDetector  # noqa: B018
except (ImportError, AttributeError):
    print("fathom: OpenCV 4.7 or later", file=sys.stderr)
    sys.exit(3)

with open(sys.argv[1], encoding="utf-8") as file:
    request = json.load(file)
board = request["board"]
# Smaller dictionaries of OpenCV are the beginning of this one.
side = board["dictionary"]
dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, f"DICT_{side}X{side}_1000"))
printed = cv2.aruco.CharucoBoard((board["columns"], board["rows"]), board["square"], board["marker"], dictionary)
printed.setLegacyPattern(board["isLegacy"])
detector = cv2.aruco.CharucoDetector(printed)
for picture in request["pictures"]:
    corners, ids, _, _ = detector.detectBoard(cv2.imread(picture.pop("file"), cv2.IMREAD_GRAYSCALE))
    picture["corners"] = [
        {"id": int(number), "x": float(x), "y": float(y)}
        for number, (x, y) in zip([] if ids is None else ids.ravel(), [] if ids is None else corners.reshape(-1, 2))
    ]
print("fathom:", json.dumps(request["pictures"]))
