"""Exceptions: one class for each code of the library, all of them :class:`AssayError`.

>>> import assay
>>> try:
...     assay.read("/no/such/file")
... except assay.AssayError as e:
...     print(type(e).__name__, e.code, e.path)
SystemFailure system /no/such/file
"""
from __future__ import annotations

from typing import Optional

from . import _abi


class AssayError(Exception):
    """What went wrong, and where.

    ``code`` is the stable word of the library (``"damaged"``), ``text`` the sentence; ``path``, ``offset`` (byte), ``line`` and ``rule`` (such as ``"CG05"``,
    see docs/formats) are None where they do not apply. ``hint`` is the number of enum assay_hint.
    """

    code = "internal"

    def __init__(self, text: str = "", *, path: Optional[str] = None, offset: Optional[int] = None, line: Optional[int] = None,
                 rule: Optional[str] = None, errno: Optional[int] = None, hint: int = 0) -> None:
        super().__init__(text)
        self.text = text
        self.path = path
        self.offset = offset
        self.line = line
        self.rule = rule
        self.errno = errno
        self.hint = hint

    def __str__(self) -> str:
        where = self.path or ""
        if self.line:
            where += f":{self.line}"
        elif self.offset is not None:
            where += f": offset {self.offset}" if where else f"offset {self.offset}"
        return f"{where}: {self.text}" if where else self.text

    def __reduce__(self):
        return _restore, (type(self), self.text, {k: getattr(self, k) for k in ("path", "offset", "line", "rule", "errno", "hint")})


def _restore(kind, text, where):
    return kind(text, **where)


class Internal(AssayError):
    """A fault of assay itself."""


class Cancelled(AssayError):
    """The work was stopped: by ^C, or because a callback asked for it."""
    code = "cancelled"


class UnknownFormat(AssayError):
    """No format recognises the input; or what was asked for by name does not exist (a revision, a reference)."""
    code = "unknown"


class AmbiguousFormat(AssayError):
    """Two formats recognise the input equally well: say which with ``format=``."""
    code = "ambiguous"


class UnknownVersion(AssayError):
    """The format is known, this version of it is not."""
    code = "version"


class EmptyInput(AssayError):
    """The input has no bytes."""
    code = "empty"


class Damaged(AssayError):
    """The bytes cannot be right."""
    code = "damaged"


class Truncated(Damaged):
    """The bytes end too early."""
    code = "truncated"


class LimitReached(AssayError):
    """A limit of the caller's or of the library was reached."""
    code = "limit"


class UsageError(AssayError, ValueError):
    """The call itself makes no sense: no such metric, function, option, ..."""
    code = "usage"


class Unsupported(AssayError):
    """The format cannot do this, or the input lacks what it needs."""
    code = "unsupported"


class SystemFailure(AssayError, OSError):
    """The system refused; ``errno`` says why."""
    code = "system"


class OutOfMemory(AssayError, MemoryError):
    """No memory, or ``max_memory`` was reached."""
    code = "memory"


class WriteFailure(AssayError, OSError):
    """The output could not be written; ``errno`` says why."""
    code = "write"


class LossRefused(AssayError):
    """Strict writing, and the target cannot hold everything; ``losses`` says what."""
    code = "loss"
    losses: list = []


class ClosedError(AssayError, ValueError):
    """The object was closed."""
    code = "closed"


BY_CODE = {
    _abi.ASSAY_ERR_INTERNAL: Internal, _abi.ASSAY_ERR_CANCELLED: Cancelled, _abi.ASSAY_ERR_UNKNOWN: UnknownFormat, _abi.ASSAY_ERR_AMBIGUOUS: AmbiguousFormat,
    _abi.ASSAY_ERR_VERSION: UnknownVersion, _abi.ASSAY_ERR_EMPTY: EmptyInput, _abi.ASSAY_ERR_DAMAGED: Damaged, _abi.ASSAY_ERR_TRUNCATED: Truncated,
    _abi.ASSAY_ERR_LIMIT: LimitReached, _abi.ASSAY_ERR_USAGE: UsageError, _abi.ASSAY_ERR_UNSUPPORTED: Unsupported, _abi.ASSAY_ERR_SYSTEM: SystemFailure,
    _abi.ASSAY_ERR_MEMORY: OutOfMemory, _abi.ASSAY_ERR_WRITE: WriteFailure, _abi.ASSAY_ERR_LOSS: LossRefused,
}
