"""How accurate is a depth map? Calls the command `fathom` with numpy arrays and reads what it writes with pandas.

    import fathom

    run = fathom.evaluate(depths, truth, lidar=lidar, confidence=confidence)
    print(run.means()["mae_m"])        # metres, a row for each method
    run = fathom.load("Reports/demo")  # a folder that the command wrote

`fathom.dataset.Recording` writes a data set frame by frame. The command is that of the environment variable FATHOM_BINARY, the one
in this package's own wheel, or the first on PATH.
"""

from . import dataset
from ._command import CommandNotFound, FathomError, command
from .evaluation import evaluate, evaluate_files
from .run import Run, load
from .version import __version__

__all__ = [
    "CommandNotFound",
    "FathomError",
    "Run",
    "__version__",
    "command",
    "dataset",
    "evaluate",
    "evaluate_files",
    "load",
]
