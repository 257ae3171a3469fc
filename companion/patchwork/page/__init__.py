"""Patchwork on the page: its part of the snapshot, its routes, its part of the archive."""

from companion.patchwork.page.interface import PATCHWORK_PAGE

__all__ = ["PATCHWORK_PAGE"]
