"""Every sample there is: files of the shared data that assay takes, directories out of archives, and the fixtures."""
import tarfile
from pathlib import Path

SKIPPED = {".py", ".md", ".sh", ".c", ".h", ".pl", ".pm", ".php", ".js", ".patch", ".diff", ".html"}
MOST = 8 << 20


def unpacked(archive, tmp):
    """The directories at the top of an archive."""
    folder = tmp / archive.name.removesuffix(".tar.gz")
    try:
        with tarfile.open(archive) as tar:
            if sum(m.size for m in tar.getmembers()) > 16 * MOST:
                return []
            tar.extractall(folder)
    except (tarfile.TarError, OSError):
        return []
    inside = sorted(folder.iterdir())
    return [folder] if any((folder / name).exists() for name in ("meta.db", "experiment.xml")) else [p for p in inside if p.is_dir()]


def all_samples(fixtures, data, tmp):
    found = [p for p in sorted(fixtures.iterdir()) if p.suffix not in SKIPPED]
    for path in sorted(data.rglob("*")) if data else []:
        if path.name.endswith(".tar.gz"):
            found += unpacked(path, tmp)
        elif path.is_file() and path.suffix not in SKIPPED and path.name != "expected.json" and 0 < path.stat().st_size <= MOST:
            found.append(path)
    return found
