"""Kvilt on the page: its part of the snapshot, its routes, its part of the archive."""

from companion.kvilt.page.interface import KVILT_PAGE

__all__ = ["KVILT_PAGE"]
