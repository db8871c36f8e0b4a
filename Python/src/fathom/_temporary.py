"""A folder that is removed with the object that holds it."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from pathlib import Path


class TemporaryFolder:
    """Removed with the last reference to it, or when Python ends; unlike tempfile.TemporaryDirectory without a warning."""

    path: Path

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="fathom-"))
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)
