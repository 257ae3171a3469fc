"""Pages of the program's own servers that a browser shows in the process of the page before.

With its opener policy, which separates it from pages of other hosts, each such page is loaded in a new process of the
browser: that takes a third of the loading. A module whose tests are not about that policy leaves it out:

    from tests.companion.web.page.one_process import in_one_process

    __all__ = ["in_one_process"]
    pytestmark = pytest.mark.usefixtures("in_one_process")
"""

from __future__ import annotations

import pytest

from companion.web.access import guard


@pytest.fixture
def in_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the servers send no opener policy."""
    monkeypatch.delitem(guard._OF_DOCUMENTS, "cross-origin-opener-policy")
