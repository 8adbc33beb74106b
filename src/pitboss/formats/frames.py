"""Results as tables for other libraries: Arrow, pandas, Polars, and rows of plain Python.

A result that is `Tabular` says what its rows are; the rest is here. None of the libraries is required: if the one you
ask for is not installed, the message says what to install.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pitboss.errors import PitbossError
from pitboss.formats.notebook_view import NotebookView


class FrameError(PitbossError):
    """A frame was asked for and the library that makes it is not installed."""

    def __init__(self, library: str) -> None:
        super().__init__(f"this frame needs {library}, which is not installed: pip install {library}")


class Tabular(NotebookView):
    """A result that is a table: `rows` gives it, and the frames follow."""

    __slots__ = ()

    if TYPE_CHECKING:

        def rows(self) -> list[dict[str, object]]:
            """The table, a dictionary of plain values for each row, all with the same keys."""

    def to_polars(self) -> Any:
        """A `polars.DataFrame` of the rows."""
        try:
            import polars  # type: ignore[import-not-found, import-untyped, unused-ignore]
        except ImportError:
            raise FrameError("polars") from None
        return polars.DataFrame(self.rows())

    def to_pandas(self) -> Any:
        """A `pandas.DataFrame` of the rows."""
        try:
            import pandas  # type: ignore[import-not-found, import-untyped, unused-ignore]
        except ImportError:
            raise FrameError("pandas") from None
        return pandas.DataFrame(self.rows())

    def to_arrow(self) -> Any:
        """A `pyarrow.Table` of the rows."""
        try:
            import pyarrow  # type: ignore[import-not-found, import-untyped, unused-ignore]
        except ImportError:
            raise FrameError("pyarrow") from None
        return pyarrow.Table.from_pylist(self.rows())
