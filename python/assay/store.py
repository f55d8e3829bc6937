"""The coverage store of a git repository: what `assay cov` works on (docs/cov.md).

    store = assay.Store.find(".")
    for report in store.log():
        print(report.commit[:9], report.lines_hit, "of", report.lines)
"""
from __future__ import annotations

import ctypes
import threading
from ctypes import byref
from typing import Any, Dict, Iterable, List, NamedTuple, Optional

from . import _abi
from ._library import Handle, Keeper, Strings, call, decode, encode, encode_path, lib, made, number, slice_bytes, structure, text_sink
from ._options import flag
from .columns import ListColumn, Table
from .profile import Loss, Profile, losses_of, profile_keeper

KINDS = {"branch": _abi.ASSAY_STORE_BRANCH, "tag": _abi.ASSAY_STORE_TAG}
ROWS = ("module", "directory", "file")


class Report(NamedTuple):
    """A report: the coverage of one commit."""
    id: str
    parent: Optional[str]
    commit: str
    branch: str
    added: int
    committed: int
    author: str
    committer: str
    message: str
    lines: int
    lines_hit: int
    functions: int
    functions_hit: int
    branches: int
    branches_hit: int


class Imported(NamedTuple):
    """What an import did. ``report`` is None when nothing changed."""
    report: Optional[str]
    parent: Optional[str]
    files: int
    reference: str
    losses: List[Loss]


def id_text(raw: Any) -> Optional[str]:
    return None if lib.assay_store_id_is_none(byref(raw)) else bytes(raw.bytes).hex()


def stats_of(s: Any) -> Dict[str, int]:
    return {"lines": s.lines.relevant, "lines_hit": s.lines.visited, "functions": s.functions.relevant, "functions_hit": s.functions.visited,
            "branches": s.branches.relevant, "branches_hit": s.branches.visited}


def report_of(r: Any) -> Report:
    def text(s: Any) -> str:
        return decode(slice_bytes(s)) or ""

    return Report(id_text(r.id) or "", id_text(r.parent), id_text(r.commit) or "", text(r.branch), r.added, r.committed,
                  f"{text(r.author_name)} <{text(r.author_email)}>", f"{text(r.committer_name)} <{text(r.committer_email)}>", text(r.message), **stats_of(r.stats))


class Store(Handle):
    """A coverage store. Revisions are what people type: HEAD, a branch, a tag, digits of an id, with ^ and ~N; A..B is a range. Any thread may use it, one at a time."""

    def __init__(self, path: Any) -> None:
        """Opens the store at a path, as :meth:`find` gives it."""
        self._lock = threading.RLock()
        self._keeper = Keeper(made(lib.assay_store_open, encode_path(path)), lib.assay_store_close)

    @classmethod
    def find(cls, folder: Any = ".") -> "Store":
        """The store that belongs to a directory."""
        found = ctypes.create_string_buffer(_abi.ASSAY_STORE_PATH_MAX)
        call(lib.assay_store_find, encode_path(folder), found, len(found))
        return cls(found.value)

    @classmethod
    def create(cls, folder: Any = None, git_dir: Any = None, force: bool = False) -> "Store":
        """Makes an empty store for a git repository, or opens the one that is there."""
        o = _abi.assay_store_new(size=ctypes.sizeof(_abi.assay_store_new), git_dir=encode(git_dir, "git_dir"), directory=encode(folder, "folder"),
                                 force=flag(force, "force"))
        out = _abi.assay_store_made()
        call(lib.assay_store_create, byref(o), byref(out))
        return cls(out.store)

    def _call(self, function: Any, *args: Any) -> int:
        with self._lock:
            keeper = self._open()
            return call(function, keeper.pointer, *args)

    def _result(self, free: Any, function: Any, *args: Any) -> Keeper:
        """What a call makes of the store, which has to be freed before it."""
        with self._lock:
            keeper = self._open()
            return Keeper(made(function, keeper.pointer, *args), free, also=keeper)

    @property
    def path(self) -> str:
        keeper = self._open()
        return decode(lib.assay_store_path(keeper.pointer)) or ""

    # ---- branches and tags ----

    @property
    def branch(self) -> Optional[str]:
        """The current branch; None = HEAD is detached."""
        name = ctypes.create_string_buffer(_abi.ASSAY_STORE_NAME_MAX)
        self._call(lib.assay_store_branch, name)
        return decode(name.value) or None

    def refs(self, kind: str = "branch") -> Dict[str, Optional[str]]:
        """Branches or tags, and the reports that they stand for."""
        keeper = self._result(lib.assay_store_refs_free, lib.assay_store_refs_new, KINDS[kind])
        refs = structure(_abi.assay_store_refs, keeper.pointer)
        names = (ctypes.c_char_p * refs.count).from_address(refs.name) if refs.count else []
        ids = (_abi.assay_store_id * refs.count).from_address(refs.id) if refs.count else []
        return {decode(n) or "": id_text(i) for n, i in zip(names, ids)}

    def set_ref(self, kind: str, name: str, revision: Optional[str] = None, force: bool = False) -> None:
        """Makes a branch or tag for a report."""
        self._call(lib.assay_store_ref_set, KINDS[kind], encode(name, "name"), encode(revision, "revision"), flag(force, "force"))

    def remove_ref(self, kind: str, name: str) -> None:
        self._call(lib.assay_store_ref_remove, KINDS[kind], encode(name, "name"))

    # ---- reports ----

    def resolve(self, revision: Optional[str] = None) -> str:
        """The id that a revision stands for; None = HEAD."""
        out = _abi.assay_store_id()
        self._call(lib.assay_store_resolve, encode(revision, "revision"), byref(out))
        return id_text(out) or ""

    def report(self, revision: Optional[str] = None) -> Report:
        keeper = self._result(lib.assay_store_report_free, lib.assay_store_report_new, encode(revision, "revision"))
        return report_of(structure(_abi.assay_store_report, keeper.pointer))

    def log(self, revision: Optional[str] = None, limit: Optional[int] = None) -> List[Report]:
        """A report and its ancestors, the newest first, or those of a range."""
        with self._lock:
            keeper = self._result(lib.assay_store_walk_free, lib.assay_store_walk_new, encode(revision, "revision"))
            out, found = ctypes.c_void_p(), []
            try:
                while limit is None or len(found) < limit:
                    call(lib.assay_store_walk_next, keeper.pointer, byref(out))
                    if not out.value:
                        break
                    found.append(report_of(structure(_abi.assay_store_report, out.value)))
            finally:
                keeper.free()
        return found

    def profile(self, revision: Optional[str] = None, sources: bool = False) -> Profile:
        """The coverage of a report, for everything that works on coverage."""
        out = ctypes.c_void_p()
        self._call(lib.assay_store_profile, encode(revision, "revision"), flag(sources, "sources"), byref(out))
        return Profile(out.value or 0, name=revision or "HEAD")

    def table(self, revision: Optional[str] = None) -> Table:
        """Modules, directories and files with their figures, now and in the report before."""
        keeper = self._result(lib.assay_store_table_free, lib.assay_store_table_new, encode(revision, "revision"), None)
        t = structure(_abi.assay_store_table, keeper.pointer)
        n = t.count
        kinds = (ctypes.c_uint8 * n).from_address(t.kind) if n else []
        names = (_abi.assay_slice * n).from_address(t.name) if n else []
        columns: Dict[str, Any] = {"kind": ListColumn([ROWS[k] for k in kinds]), "name": ListColumn([decode(slice_bytes(s)) for s in names])}
        for prefix, at in (("", t.now), ("before_", t.before)):
            rows = [stats_of(s) for s in (_abi.assay_store_stats * n).from_address(at)] if n else []
            for key in stats_of(t.total_now):
                columns[prefix + key] = ListColumn([r[key] for r in rows])
        return Table(columns, {"total": stats_of(t.total_now), "before": stats_of(t.total_before)})

    def export_json(self, revision: Optional[str] = None) -> str:
        """The report as the JSON that imports read."""
        write, parts = text_sink()
        self._call(lib.assay_store_export_json, encode(revision, "revision"), write, None)
        return b"".join(parts).decode("utf-8", "surrogateescape")

    def add(self, profiles: Iterable[Any], commit: Optional[str] = None, branch: Optional[str] = None, props: Iterable[str] = (), amend: bool = False,
            build: bool = False, strict: bool = False) -> Imported:
        """Stores the coverage of profiles or files as one report, whose hits are added up; the current branch stands for it. ``build`` adds it to the newest report."""
        from . import read
        texts = Strings(props, "props")
        o = _abi.assay_store_import_options(size=ctypes.sizeof(_abi.assay_store_import_options), commit=encode(commit, "commit"), branch=encode(branch, "branch"),
                                            props=texts.pointer, prop_count=texts.count, amend=flag(amend, "amend"), add=flag(build, "build"),
                                            strict=flag(strict, "strict"))
        if isinstance(profiles, (str, bytes, Profile)):
            raise TypeError("add takes a list of profiles or paths")
        held = [p if isinstance(p, Profile) else read(p, want="coverage") for p in profiles]
        with self._lock:
            store, out, result = self._open(), ctypes.c_void_p(), _abi.assay_store_imported()
            parts = [profile_keeper(p._for(_abi.ASSAY_WANT_COVERAGE), "a profile") for p in held]
            call(lib.assay_store_import_new, store.pointer, byref(o), byref(out))
            keeper = Keeper(out.value or 0, lib.assay_store_import_free, [p.pointer for p in parts], also=(o, texts, store))
            try:
                for p, part in zip(held, parts):
                    call(lib.assay_store_import_add, keeper.pointer, encode(p.name) or b"profile", part.pointer)
                call(lib.assay_store_import_end, keeper.pointer, byref(result))
                losses = losses_of(lib.assay_store_import_losses(keeper.pointer), is_owned=False)
            finally:
                keeper.free()
        return Imported(id_text(result.report) if result.changed else None, id_text(result.parent), result.file_count, decode(result.reference) or "", losses)

    def gc(self, dry_run: bool = False, grace: Optional[int] = None) -> Dict[str, int]:
        """Removes what no branch, tag, HEAD or reflog leads to."""
        o = _abi.assay_store_gc_options(size=ctypes.sizeof(_abi.assay_store_gc_options), dry_run=flag(dry_run, "dry_run"), has_grace=grace is not None,
                                        grace=number(grace or 0, 64, "grace"))
        out = _abi.assay_store_removed()
        self._call(lib.assay_store_gc, byref(o), byref(out))
        return {name: getattr(out, name) for name, _ in out._fields_}
