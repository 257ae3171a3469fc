"""Costly answers: computed one at a time, kept until what they are made from changes, and not for clients that left."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from threading import Lock, Thread
from typing import Final

from starlette.requests import ClientDisconnect, Request

from companion.languages import said
from companion.play.page import RefusedError
from companion.web.files import StaticFile
from companion.web.requests import address_of

PLACES: Final = 8
"""The number of different answers that one address may wait for; a page asks for three at once."""
_MOST_WAITING: Final = 64
_KEPT_BYTES: Final = 8 << 20
# Clients choose the keys, which have up to 16 KB each, and most answers to what nobody asks for are short.
_MOST_KEPT: Final = 256


@dataclass(eq=False, slots=True)
class _Job:
    """An answer that clients wait for.

    Attributes:
        key: the answer's.
        address: that of the client who asked first.
        keyed: whether one of them has the table's key.
        compute: returns the answer.
        outcome: the answer, or its error.
        waiting: the number of clients.
    """

    key: Hashable
    address: str
    keyed: bool
    compute: Callable[[], StaticFile]
    outcome: Future[StaticFile] = field(default_factory=Future)
    waiting: int = 0


class Answers:
    """A queue of costly answers with one worker, a thread that runs while any is due. Thread-safe.

    Clients who ask for an answer that is still due wait for the same one. The next answer is for a client with the key,
    and then for the address that was served longest ago, so that none is kept waiting by the number of another's
    requests.

    Args:
        kept_bytes: the size up to which answers are kept; those used longest ago are dropped first.
    """

    def __init__(self, kept_bytes: int = _KEPT_BYTES) -> None:
        self._kept_bytes = kept_bytes
        self._kept: OrderedDict[Hashable, tuple[Hashable, StaticFile]] = OrderedDict()
        self._due: list[_Job] = []
        # The addresses served, latest last.
        self._served: OrderedDict[str, None] = OrderedDict()
        self._lock = Lock()
        self._works = False

    async def get(
        self,
        request: Request,
        key: Hashable,
        mark: Callable[[], Hashable],
        compute: Callable[[], StaticFile],
        *,
        keyed: bool = False,
    ) -> StaticFile:
        """Return the answer to a request.

        Args:
            request: the request.
            key: names the answer.
            mark: returns a value that changes with what the answer is made from; called by the worker, as `compute` is.
            compute: returns the answer.
            keyed: whether the client has the table's key.

        Raises:
            RefusedError: 503, if too many answers are due.
            ClientDisconnect: the client left. The answer is not computed, unless others wait for it.
        """
        job = self._joined(key, address_of(request.scope), partial(self._fresh, key, mark, compute), keyed=keyed)
        outcome = asyncio.wrap_future(job.outcome)
        left = asyncio.ensure_future(_departure(request))
        try:
            await asyncio.wait((outcome, left), return_when=asyncio.FIRST_COMPLETED)
            if outcome.done():
                return outcome.result()
            raise ClientDisconnect
        finally:
            left.cancel()
            self._leave(job)

    def _joined(self, key: Hashable, address: str, compute: Callable[[], StaticFile], *, keyed: bool) -> _Job:
        with self._lock:
            job = next((each for each in self._due if each.key == key), None)
            if job is None:
                places = sum(each.address == address for each in self._due)
                if not keyed and (places >= PLACES or len(self._due) >= _MOST_WAITING):
                    raise RefusedError(503, _BUSY, headers={"retry-after": "1"})
                job = _Job(key, address, keyed, compute)
                self._due.append(job)
            job.waiting += 1
            job.keyed = job.keyed or keyed
            if not self._works:
                self._works = True
                Thread(target=self._work, name="answers", daemon=True).start()
        return job

    def _leave(self, job: _Job) -> None:
        with self._lock:
            job.waiting -= 1
            if not job.waiting and job in self._due:
                self._due.remove(job)

    def _work(self) -> None:
        while (job := self._next()) is not None:
            began_s = time.perf_counter()
            try:
                job.outcome.set_result(job.compute())
            except Exception as error:  # It is raised where the answer is awaited.
                job.outcome.set_exception(error)
            # As long as it took, so that spectators leave half of Python's time to the game.
            time.sleep(0.0 if job.keyed else time.perf_counter() - began_s)

    def _next(self) -> _Job | None:
        """Return the next job, taken out of the queue; None ends the worker."""
        with self._lock:
            if not self._due:
                self._works = False
                return None
            turns = {address: turn for turn, address in enumerate(self._served)}
            job = min(self._due, key=lambda each: (not each.keyed, turns.get(each.address, -1)))
            self._due.remove(job)
            self._served[job.address] = None
            self._served.move_to_end(job.address)
            if len(self._served) > _MOST_WAITING:
                self._served.popitem(last=False)
            return job

    def _fresh(self, key: Hashable, mark: Callable[[], Hashable], compute: Callable[[], StaticFile]) -> StaticFile:
        # Before it is computed: what changes meanwhile makes it anew.
        now = mark()
        kept = self._kept.get(key)
        if kept is not None and kept[0] == now:
            self._kept.move_to_end(key)
            return kept[1]
        answer = compute()
        self._kept[key] = now, answer
        self._kept.move_to_end(key)
        while len(self._kept) > _MOST_KEPT or sum(each.size for _, each in self._kept.values()) > self._kept_bytes:
            self._kept.popitem(last=False)
        return answer


_BUSY: Final = said("Too many requests: slow down.")


async def _departure(request: Request) -> None:
    """Wait until the client has left."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
