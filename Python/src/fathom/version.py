"""The version of the package: that of the command which it was made for."""

__version__ = "0.17.0"
