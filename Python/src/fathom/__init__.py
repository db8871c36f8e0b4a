"""How accurate is a depth map? Calls the command `fathom` with arrays and reads what it writes with pandas.

    import fathom

    run = fathom.evaluate({"mynet": depths, "other": others}, truth)
    print(run)                         # the answer in words, and the table
    print(run.metrics("mae_m"))        # metres, a number for each network
    fused = fathom.fuse("scan.h5")     # depth and its standard deviation, without any truth
    run = fathom.load("Reports/demo")  # a folder that the command wrote

`fathom.dataset.Recording` writes a data set frame by frame. The command is that of the environment variable FATHOM_BINARY, the one
in this package's own wheel, or the first on PATH.
"""

from . import dataset
from ._command import CommandNotFound, FathomError, FathomWarning, command
from ._report import Verdict
from .evaluation import evaluate, evaluate_files
from .evaluator import Evaluator
from .fusing import Fused, fuse
from .run import Run, load
from .version import __version__

__all__ = [
    "CommandNotFound",
    "Evaluator",
    "FathomError",
    "FathomWarning",
    "Fused",
    "Run",
    "Verdict",
    "__version__",
    "command",
    "dataset",
    "evaluate",
    "evaluate_files",
    "fuse",
    "load",
]
