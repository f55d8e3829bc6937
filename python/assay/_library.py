"""The library behind the package: where it is found, how it is called, and who keeps what alive.

A *keeper* owns an object of the library and, beside it, a reference to each profile that the object borrows from. Everything that points into the object's memory
(columns, memoryviews, numpy arrays) has the keeper as its owner, so that memory is freed after the last of them is gone, in whatever order Python drops them.
"""
from __future__ import annotations

import ctypes
import os
import re
from ctypes import byref
from typing import Any, Iterable, Optional

from . import _abi
from .errors import BY_CODE, AssayError, ClosedError

SONAME = "libassay.so.0"


def _candidates() -> Iterable[str]:
    """ASSAY_LIBRARY alone where it is set; else beside the package, below the same prefix (PREFIX/lib/python3/dist-packages/assay), where the system looks."""
    said = os.environ.get("ASSAY_LIBRARY")
    if said:
        yield said
        return
    here = os.path.dirname(os.path.realpath(__file__))
    folders = [here]
    for base in (os.path.dirname(os.path.dirname(here)), os.path.dirname(os.path.dirname(os.path.dirname(here)))):  # PREFIX/lib/python3, PREFIX/lib
        folders += [base, *(os.path.join(base, name) for name in sorted(os.listdir(base)) if name.count("-") == 2)]  # x86_64-linux-gnu
    yield from filter(os.path.exists, (os.path.join(folder, SONAME) for folder in folders))
    yield SONAME


def _load() -> ctypes.CDLL:
    problems = []
    for name in _candidates():
        try:
            return ctypes.CDLL(name)
        except OSError as e:
            problems.append(str(e))
    raise ImportError(f"assay: cannot load the library: {'; '.join(problems)}. Install libassay, or set ASSAY_LIBRARY to the path of {SONAME}")


class Library:
    """Functions by name, declared when they are first used: most programs need few of them."""

    def __init__(self, loaded: ctypes.CDLL) -> None:
        self._loaded = loaded

    def __getattr__(self, name: str) -> Any:
        if name not in _abi.FUNCTIONS:
            raise AttributeError(name)
        result, arguments = _abi.FUNCTIONS[name]
        try:
            function = self._loaded[name]  # an object of its own: others may declare theirs otherwise
        except AttributeError:
            raise ImportError(f"assay: {self._loaded._name} (version {self.assay_version().decode()}) has no {name}: it is older than the package") from None
        function.restype, function.argtypes = result, arguments
        setattr(self, name, function)
        return function


lib: Any = Library(_load())


# ---- keepers ----

class _Reaper:
    """Frees when it goes."""
    __slots__ = ("free", "pointer", "profiles", "also")

    def __init__(self, free, pointer, profiles, also):
        self.free, self.pointer, self.profiles, self.also = free, pointer, profiles, also

    def __del__(self, release=lib.assay_profile_release):
        if self.free is not None and self.pointer:
            self.free(self.pointer)
        for profile in self.profiles:
            release(profile)


class Keeper:
    """Owns `pointer`, which `free` frees, and a reference to each of `profiles` (pointers). `also` is whatever else the object borrows.

    The collector calls the finalizers of a dead cycle in any order, before any of it is gone. So nothing is freed by the keeper's own: it only hands over to a
    reaper, which goes when the keeper's memory does, after all of them.
    """
    __slots__ = ("pointer", "_free", "_profiles", "_also", "_reaper", "__weakref__")

    def __init__(self, pointer: int, free: Any = None, profiles: Iterable[int] = (), also: Any = None) -> None:
        self.pointer = pointer
        self._free = free
        self._also = also
        self._profiles = tuple(profiles)
        for profile in self._profiles:
            lib.assay_profile_retain(profile)

    def __del__(self, reaper=_Reaper):
        try:
            self._reaper = reaper(self._free, self.pointer, self._profiles, self._also)
        except AttributeError:
            pass  # not made to the end

    def take(self) -> int:
        """The pointer, which is somebody else's from now on."""
        pointer, self.pointer = self.pointer, 0
        return pointer

    def free(self) -> None:
        """Now, by this thread; nothing may point into the object."""
        pointer = self.take()
        if pointer:
            self._free(pointer)

    def __copy__(self) -> "Keeper":
        return self  # two owners of one pointer would free it twice

    def __deepcopy__(self, memo: Any) -> "Keeper":
        return self

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError("objects of the library cannot be pickled; tables can")


class Handle:
    """What the classes of the package that stand for an object of the library have in common: closing it, and not using it afterwards."""
    _keeper: Optional[Keeper] = None

    def _open(self) -> Keeper:
        """Held by the caller while it uses the pointer: another thread may close the object meanwhile."""
        keeper = self._keeper
        if keeper is None or not keeper.pointer:
            raise ClosedError(f"this {type(self).__name__} was closed")
        return keeper

    def close(self) -> None:
        """Lets go of the object. What was made of it (columns, arrays, tables) stays valid; its memory is freed with the last of them."""
        self._keeper = None

    @property
    def closed(self) -> bool:
        return self._keeper is None or not self._keeper.pointer

    def __enter__(self):
        self._open()
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


# ---- calls ----

def failure(err: _abi.assay_error) -> AssayError:
    """The exception of an error."""
    kind, path, text = BY_CODE.get(err.code, AssayError), err.path.decode("utf-8", "surrogateescape"), err.text.decode("utf-8", "surrogateescape")
    named = re.search(r"\(([A-Z]+-?[0-9]+)\)$", text)  # a finding that strict reading made an error says its rule in its sentence
    return kind(text, path=path or None, offset=err.offset if err.has_offset else None, line=err.line or None,
                rule=err.rule.decode() if err.rule else named.group(1) if named else None, errno=err.sys_errno or None, hint=err.hint)


def call(function: Any, *args: Any) -> int:
    """Calls a function whose last argument is the error; raises what it says."""
    err = _abi.assay_error()
    rc = function(*args, byref(err))
    if rc < 0:
        raise failure(err)
    return rc


def made(function: Any, *args: Any) -> int:
    """Calls a function that fills `*out` (the one before the error) with something that the caller owns."""
    out = ctypes.c_void_p()
    call(function, *args, byref(out))
    return out.value or 0


def structure(kind: Any, pointer: Optional[int]) -> Any:
    """The structure at an address."""
    return kind.from_address(pointer)


def encode(text: Any, what: str = "text") -> Optional[bytes]:
    """Text for the library: str or bytes, or a path; None stays None."""
    if text is None or isinstance(text, bytes):
        data = text
    elif isinstance(text, str):
        data = text.encode("utf-8", "surrogateescape")
    elif isinstance(text, os.PathLike):
        data = os.fsencode(text)
    else:
        raise TypeError(f"{what} must be str, bytes or a path, not {type(text).__name__}")
    if data and b"\0" in data:
        raise ValueError(f"{what} contains a NUL byte")
    return data


def encode_path(path: Any, what: str = "path") -> bytes:
    """The path of a file, as the system has it."""
    if not isinstance(path, (str, bytes, os.PathLike)):
        raise TypeError(f"{what} must be str, bytes or a path, not {type(path).__name__}")
    data = encode(os.fsencode(path), what)
    return data if data is not None else b""


def slice_bytes(s: Any) -> Optional[bytes]:
    return ctypes.string_at(s.data, s.len) if s.data else None


def decode(data: Optional[bytes]) -> Optional[str]:
    """Names are bytes; what is not UTF-8 becomes lone surrogates, which os.fsencode makes bytes again."""
    return None if data is None else data.decode("utf-8", "surrogateescape")


def number(value: Any, bits: int, what: str, signed: bool = False) -> int:
    """A whole number that fits: ctypes would cut off what does not."""
    if not hasattr(value, "__index__"):
        raise TypeError(f"{what} must be a whole number, not {type(value).__name__}")
    value = value.__index__()
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    if not low <= value <= high:
        raise OverflowError(f"{what} must be between {low} and {high}, not {value}")
    return value


class Strings:
    """An array of C strings for an option, kept as long as the structure that points to it."""

    def __init__(self, values: Any, what: str) -> None:
        values = [] if values is None else [values] if isinstance(values, (str, bytes, os.PathLike)) else list(values)
        self.encoded = [encode(v, what) for v in values]
        if None in self.encoded:
            raise TypeError(f"{what} must not be None")
        self.count = len(values)
        self.array = (ctypes.c_char_p * max(self.count, 1))(*self.encoded)

    @property
    def pointer(self) -> Optional[int]:
        return ctypes.addressof(self.array) if self.count else None


def text_sink() -> Any:
    """A callback that collects text, and the list it collects it in."""
    parts: list = []

    def write(_arg, data, length):
        parts.append(ctypes.string_at(data, length))
        return 0

    return _abi.CALLBACKS["assay_text_fn"](write), parts
