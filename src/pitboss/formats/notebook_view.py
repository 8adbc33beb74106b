"""How an object shows itself in a notebook: it asks `report`, which is where HTML is made, when somebody looks."""

from __future__ import annotations


class NotebookView:
    """Something that a notebook shows as HTML; `pitboss.report.notebooks` has a view for each of its kinds."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from pitboss.report.notebooks import notebook_html

        return notebook_html(self)
