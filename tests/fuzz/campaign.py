"""Runs the fuzz targets and keeps count: `./dev fuzz` calls it.

    campaign.py --programs DIR --work DIR [--each SECONDS | --hours N | --merge] [--jobs N] [TARGET...]

With --each every target runs once, for that long. With --hours they run in rounds, and the time goes where something still grows: a target whose
round found new features is in the next pass too, one whose round found nothing sits out 1, 2, 4, ... 64 passes. --merge takes what is worth it of
the corpora that have grown into tests/fuzz/corpus.

DIR of --work keeps what was learnt: corpus/TARGET, log/TARGET, state.json (totals over all runs) and table.txt, which is also printed. Inputs that
fail go to tests/fuzz/found; their target is not run again, and the exit code is 1.
"""
import argparse
import heapq
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
MAX_LEN = {True: 4608, False: 16384}  # of inputs, of decoders and others: the files of a small database are just within the first
SIT_OUT_MOST = 64  # passes
LOADING_SHARE = 3  # a round is at least so many times what loading the corpus took
CORPUS_FILES, CORPUS_BYTES = 60, 200_000  # what tests/fuzz/corpus may hold for a target

STATUS = re.compile(rb'^#(\d+)\s+(\w+)\s+cov: (\d+) ft: (\d+)')
EXECUTED = re.compile(rb'^stat::number_of_executed_units:\s*(\d+)')


class Target:
    """One program, what it has done so far and when it is due again."""

    FIELDS = ('executions', 'seconds', 'features', 'edges', 'last_new', 'last_new_at', 'barren', 'loading')

    def __init__(self, program):
        self.program = program
        self.name = program.name.removeprefix('fuzz_')
        self.is_decoder = self.name.startswith('decode_')
        self.seeds = HERE / 'corpus' / self.name.removeprefix('decode_')
        self.executions = self.features = self.edges = self.barren = 0
        self.seconds = 0.0  # of CPU time: the machine may have others to serve
        self.loading = 0.0
        self.last_new = 0.0  # time of day; 0 = never
        self.last_new_at = 0  # executions by then
        self.due = 0  # the pass
        self.failure = None  # the log of a run that failed

    def state(self):
        return {field: getattr(self, field) for field in self.FIELDS}

    def restore(self, state):
        for field in self.FIELDS:
            setattr(self, field, state.get(field, getattr(self, field)))


class Campaign:
    def __init__(self, options):
        self.work = Path(options.work)
        self.found = Path(options.found)
        self.lock = threading.Lock()
        self.running = {}
        self.stopped = False
        programs = sorted(p for p in Path(options.programs).glob('fuzz_*') if p.is_file() and os.access(p, os.X_OK))
        self.targets = sorted((Target(p) for p in programs), key=lambda t: (not t.is_decoder, t.name))
        unknown = set(options.targets) - {t.name for t in self.targets}
        if unknown or not self.targets:
            sys.exit(f"campaign: no such target in {options.programs}: {', '.join(sorted(unknown)) or 'fuzz_*'}")
        if options.targets:
            self.targets = [t for t in self.targets if t.name in options.targets]
        for folder in (self.work / 'log', self.found):
            folder.mkdir(parents=True, exist_ok=True)
        self.others = {}
        try:
            self.others = json.loads((self.work / 'state.json').read_text())
        except (OSError, ValueError):
            pass
        for t in self.targets:
            t.restore(self.others.get(t.name, {}))

    # ---- one round ----

    def command(self, target, seconds):
        corpus = self.work / 'corpus' / target.name
        corpus.mkdir(parents=True, exist_ok=True)
        dictionary = HERE / 'dict' / (target.seeds.name + '.dict')
        # Without the entropic schedule, which took nine tenths of the time of targets with rich coverage.
        command = [str(target.program), '-entropic=0', '-reload=0', '-timeout=20', '-rss_limit_mb=2048', '-print_final_stats=1',
                   f'-max_total_time={seconds}', f'-max_len={MAX_LEN[target.is_decoder]}', f'-artifact_prefix={self.found}/{target.name}-']
        if dictionary.exists():
            command.append(f'-dict={dictionary}')
        return command + [str(corpus)] + ([str(target.seeds)] if target.seeds.is_dir() else [])

    def environment(self):
        # Freed memory is kept for a short while, and traces are short: page faults and unwinding would be most of the time.
        sanitizer = 'quarantine_size_mb=1:malloc_context_size=5:allocator_may_return_null=1:detect_odr_violation=0'
        return os.environ | {'ASSAY_HASH_SEED': '1', 'ASAN_OPTIONS': sanitizer, 'UBSAN_OPTIONS': 'halt_on_error=1:print_stacktrace=1'}

    def run(self, target, seconds):
        """Runs a target for so long; returns whether it found new features."""
        begin, before, last = time.time(), target.executions, 0
        is_new = False
        log = self.work / 'log' / target.name
        with open(log, 'wb') as out:
            process = subprocess.Popen(self.command(target, seconds), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=self.environment())
            with self.lock:
                self.running[process.pid] = process
            for line in process.stderr:
                out.write(line)
                if status := STATUS.match(line):
                    last = int(status[1])
                    self.take(target, status, before, begin)
                    is_new |= status[2] == b'NEW'
                elif executed := EXECUTED.match(line):
                    last = int(executed[1])
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            with self.lock:
                del self.running[process.pid]
        target.executions = before + last
        target.seconds += used.ru_utime + used.ru_stime
        if process.returncode != 0 and not self.stopped:
            target.failure = log
        return is_new

    @staticmethod
    def take(target, status, before, begin):
        if status[2] == b'INITED':
            target.loading = time.time() - begin
        target.edges, target.features = int(status[3]), int(status[4])
        if status[2] == b'NEW':
            target.last_new, target.last_new_at = time.time(), before + int(status[1])

    # ---- all of them ----

    def pass_over(self, targets, seconds_of, jobs, number, end):
        """Runs each of these targets once, `jobs` at a time."""
        queue = list(targets)

        def worker():
            while True:
                with self.lock:
                    if not queue or self.stopped or time.time() >= end:
                        return
                    target = queue.pop(0)
                is_new = self.run(target, seconds_of(target))
                target.barren = 0 if is_new else target.barren + 1
                target.due = number + min(2 ** target.barren, SIT_OUT_MOST)
                self.save()
                self.say(target)

        threads = [threading.Thread(target=worker) for _ in range(jobs)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()

    def share(self, hours, jobs, round_seconds):
        end, number = time.time() + hours * 3600, 0
        while not self.stopped and time.time() < end:
            alive = [t for t in self.targets if not t.failure]
            if not alive:
                return
            number = max(number + 1, min(t.due for t in alive))
            due = sorted((t for t in alive if t.due <= number), key=lambda t: t.seconds)  # what an earlier run did not get to comes first

            def seconds_of(target):
                return max(1, int(min(max(round_seconds, LOADING_SHARE * target.loading), end - time.time())))

            self.pass_over(due, seconds_of, jobs, number, end)

    # ---- what is kept in the repository ----

    def features(self, target, corpus):
        """[(path, size, features)] of the seeds and of what was found, as libFuzzer's merge writes them down."""
        with tempfile.TemporaryDirectory() as scratch:
            control = Path(scratch) / 'control'
            (Path(scratch) / 'out').mkdir()
            subprocess.run([str(target.program), '-set_cover_merge=1', f'-merge_control_file={control}', f'-max_len={MAX_LEN[target.is_decoder]}', f'{scratch}/out',
                            str(target.seeds), str(corpus)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.environment())
            lines = control.read_text().splitlines()
        paths = [Path(p) for p in lines[2:2 + int(lines[0])]]
        rows = (line.split() for line in lines if line.startswith('FT '))
        return [(paths[int(r[1])], paths[int(r[1])].stat().st_size, set(r[2:])) for r in rows]

    def merge(self, target):
        """Copies inputs that have features the seeds do not have, those with the most first, while there is room."""
        corpus = self.work / 'corpus' / target.name
        if not corpus.is_dir():
            return
        with tempfile.TemporaryDirectory() as scratch:  # a campaign may go on meanwhile
            for name in os.listdir(corpus):
                try:
                    shutil.copy(corpus / name, scratch)
                except FileNotFoundError:
                    pass
            self.merge_from(target, Path(scratch))

    def merge_from(self, target, corpus):
        target.seeds.mkdir(exist_ok=True)
        inputs = self.features(target, corpus)
        seeds = [i for i in inputs if i[0].parent == target.seeds]
        others = [i for i in inputs if i[0].parent != target.seeds]
        known = set().union(*(i[2] for i in seeds))
        files, size, before = len(list(target.seeds.iterdir())), sum(p.stat().st_size for p in target.seeds.iterdir()), len(known)
        added = 0
        # What an input adds only shrinks as others are taken: the first of the heap is counted again, and taken when it is still the first.
        heap = [(-len(found - known), length, str(path), found) for path, length, found in others]
        heapq.heapify(heap)
        while heap and files + added < CORPUS_FILES:
            _, length, path, found = heapq.heappop(heap)
            gain = -len(found - known), length, path
            if gain[0] == 0 or size + length > CORPUS_BYTES:
                continue
            if heap and gain > heap[0][:3]:
                heapq.heappush(heap, (*gain, found))
                continue
            known |= found
            size += length
            added += 1
            shutil.copy(path, target.seeds / Path(path).name[:16])
        print(f'{target.name}: {added} inputs added to {files}, {before} -> {len(known)} features', file=sys.stderr, flush=True)

    def stop(self, *_):
        self.stopped = True
        for process in list(self.running.values()):
            process.terminate()

    # ---- what it says ----

    def save(self):
        with self.lock:
            self.others |= {t.name: t.state() for t in self.targets}
            for name, text in (('state.json', json.dumps(self.others, indent=1)), ('table.txt', self.table())):
                temporary = self.work / (name + '.new')
                temporary.write_text(text)
                temporary.rename(self.work / name)

    def say(self, target):
        print(f'{target.name}: {target.executions} executions, {target.features} features' + (' FAILED' if target.failure else ''), file=sys.stderr, flush=True)

    def table(self):
        lines = [f"{'target':<28} {'executions':>13} {'per CPU s':>10} {'edges':>7} {'features':>9}  last new feature"]
        for t in sorted(self.targets, key=lambda t: t.name):
            when = 'never'
            if t.last_new:
                when = f"{time.strftime('%Y-%m-%d %H:%M:%S', time.gmtime(t.last_new))} UTC, {t.executions - t.last_new_at:,} executions ago"
            lines.append(f'{t.name:<28} {t.executions:>13,} {t.executions / t.seconds if t.seconds else 0:>10,.0f} {t.edges:>7} {t.features:>9}  {when}')
        total, seconds = sum(t.executions for t in self.targets), sum(t.seconds for t in self.targets)
        lines.append(f"{'total':<28} {total:>13,} {total / seconds if seconds else 0:>10,.0f}")
        return '\n'.join(lines) + '\n'

    def failures(self):
        failed = [t for t in self.targets if t.failure]
        for t in failed:
            print(f'\n==== {t.name} failed; the input is in {self.found}', file=sys.stderr)
            sys.stderr.write('\n'.join(t.failure.read_text(errors='replace').splitlines()[-60:]) + '\n')
        return len(failed)


def main():
    parser = argparse.ArgumentParser(description='run the fuzz targets and keep count')
    parser.add_argument('--programs', required=True, help='the folder of the programs fuzz_*')
    parser.add_argument('--work', required=True, help='where corpora, logs, totals and the table are kept')
    parser.add_argument('--found', default=HERE / 'found', help='where inputs that fail go (default: tests/fuzz/found)')
    parser.add_argument('--hours', type=float, help='share so many hours among the targets')
    parser.add_argument('--each', type=int, default=60, metavar='SECONDS', help='run each target once (default: 60)')
    parser.add_argument('--round', type=int, default=30, metavar='SECONDS', help='of one target, with --hours (default: 30)')
    parser.add_argument('--merge', action='store_true', help='take new inputs into tests/fuzz/corpus')
    parser.add_argument('--jobs', type=int, default=2, help='targets at a time (default: 2)')
    parser.add_argument('targets', nargs='*', metavar='TARGET', help='default: all')
    options = parser.parse_args()
    campaign = Campaign(options)
    if options.merge:
        for target in campaign.targets:
            campaign.merge(target)
        return
    for s in (signal.SIGINT, signal.SIGTERM):
        signal.signal(s, campaign.stop)
    if options.hours:
        campaign.share(options.hours, options.jobs, options.round)
    else:
        campaign.pass_over(campaign.targets, lambda _: options.each, options.jobs, 0, float('inf'))
    campaign.save()
    print(campaign.table(), end='')
    if campaign.failures():
        sys.exit(1)
    print('no problems found', file=sys.stderr)


if __name__ == '__main__':
    main()
