"""Submissions: small pieces of work from any thread, which the library's accumulator runs together.

A submitter has a context of its own, since nothing else may run where an accumulator does, and a thread that takes answers and
hands them to their futures.
"""
import asyncio
import collections
import concurrent.futures
import os
import threading
from typing import Any

from . import _arcl

_LANES = _PENDING = _DELAY = 0  # the library's own defaults


class Future(concurrent.futures.Future):
    """The value of a submission, later: as of concurrent.futures, and `await` works too."""

    def __await__(self) -> Any:
        return asyncio.wrap_future(self).__await__()


class Submitter:
    """Must not know what programs are: `submit` gets them compiled, and `finish` makes a value of a result."""

    def __init__(self, context):
        self.context = context
        self.pid = os.getpid()
        self._accumulator = _arcl.Accumulator(context, _LANES, _PENDING, _DELAY)
        self._waiting: collections.deque = collections.deque()
        self._changed = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._answer, name="arcl-answers", daemon=True)
        self._thread.start()

    def submit(self, compiled, batch, finish) -> Future:
        future = Future()
        future.set_running_or_notify_cancel()  # what is submitted is run
        ticket = self._accumulator.submit(compiled, batch)
        with self._changed:
            if self._closed:
                raise RuntimeError("this engine takes no more submissions")
            self._waiting.append((ticket, future, finish, compiled))
            self._changed.notify()
        return future

    def flush(self) -> None:
        self._accumulator.flush()

    def close(self) -> None:
        self._accumulator.close()
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join()

    def report(self) -> dict:
        return self._accumulator.report()

    def _answer(self) -> None:
        while True:
            with self._changed:
                while not self._waiting:
                    if self._closed:
                        return
                    self._changed.wait()
                ticket, future, finish, _ = self._waiting.popleft()
            try:
                value = finish(self._accumulator.take(ticket))
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(value)
