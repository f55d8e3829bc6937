#!/usr/bin/env python3
"""Makes large texts for the bench: the same options give the same bytes on every machine.

  make.py --style xdebug --mb 200 --seed 1 >big.xdebug       calls one by one, as Xdebug writes them
  make.py --style valgrind --mb 200 --seed 1 >big.callgrind  cost by source line, as Valgrind writes it
  make.py --style folded --mb 200 --seed 1 >big.folded       stacks, most of them several times, in no order

All sums are right: a call costs what its callee cost, and the totals are those of the lines. The size is reached within about two per cent.
"""
import argparse
import random
import sys

VERBS = "accept apply bind build check close copy count decode draw encode fetch fill find flush join load lock merge open parse read".split()
THINGS = "Account Block Buffer Cache Channel Client Entry Filter Form Graph Header Item Layer Mail Order Page Path Query Row Table User".split()
LINE_STEPS = ("-1 ", "* ", "+1 ", "+2 ", "+3 ")


class Dice:
    """Only random() promises the same numbers in every version of Python."""

    def __init__(self, seed):
        self.random = random.Random(seed).random

    def below(self, n):
        return int(self.random() * n)

    def one_of(self, items):
        return items[self.below(len(items))]


class Text:
    """Standard output in blocks, with its length."""

    def __init__(self):
        self.len = 0
        self.parts = []
        self.waiting = 0

    def put(self, text):
        self.parts.append(text)
        self.len += len(text)
        self.waiting += len(text)
        if self.waiting > 1 << 20:
            self.flush()

    def flush(self):
        sys.stdout.write("".join(self.parts))
        self.parts.clear()
        self.waiting = 0


class Names:
    """Callgrind's numbered names: the text comes with the first use only."""

    def __init__(self):
        self.ids = {}

    def ref(self, name):
        known = self.ids.get(name)
        if known:
            return "(%d)" % known
        self.ids[name] = len(self.ids) + 1
        return "(%d) %s" % (len(self.ids), name)


# ---- Xdebug ----


class PhpFunction:
    def __init__(self, dice, number, files):
        verb, thing = dice.one_of(VERBS), dice.one_of(THINGS)
        self.line = 1 + dice.below(900)
        self.sites = []
        self.head = self.call = None
        self.file = dice.one_of(files)
        kind = dice.below(100)
        if kind < 25:
            self.file, self.name = "php:internal", "php::%s_%s_%d" % (verb, thing.lower(), number)
        elif kind < 40:
            self.name = "Shop\\%s\\%s%d::%s" % (thing, thing, number, verb)
        elif kind < 45:
            self.name = "Shop\\%s\\{closure:%s:%d-%d}" % (thing, self.file, self.line, self.line + 4)
        else:
            self.name = "Shop\\%s\\%s%d->%s" % (thing, thing, number, verb)
        self.is_leaf = kind < 45

    def head_text(self, files, names):
        """The two lines that begin a block; names are spelled out once."""
        if self.head:
            return self.head
        first = "fl=%s\nfn=%s\n" % (files.ref(self.file), names.ref(self.name))
        file, name = files.ref(self.file), names.ref(self.name)
        self.head = "fl=%s\nfn=%s\n" % (file, name)
        self.call = "cfl=%s\ncfn=%s\ncalls=1 0 0\n" % (file, name)
        return first


class Frame:
    __slots__ = ("func", "line", "calls", "time", "memory", "children")

    def __init__(self, func, line, children):
        self.func, self.line, self.children = func, line, children
        self.calls = []
        self.time = self.memory = 0


def php_functions(dice, count):
    files = ["/var/www/shop/src/%s/%s%d.php" % (dice.one_of(THINGS), dice.one_of(THINGS), i) for i in range(max(1, count // 12))]
    functions = [PhpFunction(dice, i, files) for i in range(count)]
    for f in functions:
        if not f.is_leaf:
            f.sites = [(f.line + 1 + dice.below(40), dice.one_of(functions)) for _ in range(1 + dice.below(6))]
    return functions


def make_xdebug(options, out):
    dice = Dice(options.seed)
    functions = php_functions(dice, 3000)
    inner = [f for f in functions if f.sites]
    files, names = Names(), Names()
    limit = int(options.mb * 1e6)
    out.put("version: 1\ncreator: xdebug 3.3.1 (PHP 8.3.4)\ncmd: /var/www/shop/public/index.php\npart: 1\npositions: line\n\n")
    out.put("events: Time_(10ns) Memory_(bytes)\n\n")
    own_time = 5000
    time, memory, main_calls, main_len = own_time, 0, [], 0
    while out.len + main_len < limit:
        main = Frame(None, 0, 0)
        walk_calls(dice, main, Frame(dice.one_of(inner), 3 + dice.below(60), 2 + dice.below(6)), lambda f: f.head_text(files, names), out.put)
        main_calls += main.calls
        main_len += sum(map(len, main.calls))
        time += main.time
        memory += main.memory
    out.put("fl=%s\nfn=%s\n1 %d 0\n" % (files.ref("/var/www/shop/public/index.php"), names.ref("{main}"), own_time))
    for call in main_calls:
        out.put(call)
    out.put("\nsummary: %d %d\n\n" % (time, memory))


def walk_calls(dice, main, root, head_of, put):
    """One call of `root` with all below it: a block for each call when it returns, callees first."""
    draw = dice.random
    budget = 400 + dice.below(1600)
    stack = [main, root]
    while len(stack) > 1:
        frame = stack[-1]
        func = frame.func
        if frame.children and budget and len(stack) < 70 and func.sites:
            frame.children -= 1
            budget -= 1
            line, callee = func.sites[int(draw() * len(func.sites))]
            stack.append(Frame(callee, line, int(draw() * 4)))
            continue
        stack.pop()
        luck = draw()
        time = 15 + int(luck * 400) + (20000 if luck > 0.995 else 0)
        memory = int(luck * 4500) * 8 if luck < 0.2 else 0
        put("%s%d %d %d\n%s\n" % (head_of(func), func.line, time, memory, "".join(frame.calls)))
        time += frame.time
        memory += frame.memory
        caller = stack[-1]
        caller.calls.append("%s%d %d %d\n" % (func.call, frame.line, time, memory))
        caller.time += time
        caller.memory += memory


# ---- Valgrind ----


def native_name(number):
    verb, thing = VERBS[number % len(VERBS)], THINGS[number // 7 % len(THINGS)]
    if number % 7 < 3:
        return "%s_%s_%d" % (thing.lower(), verb, number)
    if number % 7 < 5:
        return "ns%d::%s::%s(%s const&, unsigned long)" % (number, thing, verb, thing)
    if number % 7 == 5:
        return "void std::__%s<std::vector<%s, std::allocator<%s> >::iterator, long>(int)#%d" % (verb, thing, thing, number)
    return "ns%d::%s::operator()(std::pair<int, %s>) const" % (number, thing, thing)


class Arc:
    __slots__ = ("callee", "count")

    def __init__(self, callee, count):
        self.callee, self.count = callee, count


def cost_runs(dice, per_function):
    """Ready-made runs of cost lines with their sums; each function takes one and begins somewhere in it."""
    runs = []
    for _ in range(512):
        costs = [1 + dice.below(900) for _ in range(max(2, int(per_function * (0.4 + 1.2 * dice.random()))))]
        runs.append(([dice.one_of(LINE_STEPS) + "%d\n" % cost for cost in costs], sum(costs)))
    return runs


class Program:
    """Functions call those with a smaller number only, so that whatever a function calls has been written, and priced, before it."""

    def __init__(self, dice, options):
        self.count = max(50, int(options.mb * 300))
        bytes_each = max(100, int(options.mb * 1e6 / self.count) - 165)
        self.runs = cost_runs(dice, bytes_each / 6.7)
        self.picks = [dice.below(512) for _ in range(self.count)]
        self.files = ["???"] + ["/usr/src/part%d/%s_%d.%s" % (i % 97, dice.one_of(VERBS), i, ("c", "cc", "h")[i % 3]) for i in range(max(1, self.count // 15))]
        self.file_of = [dice.one_of(self.files) for _ in range(self.count)]
        self.line_of = [500 + dice.below(4000) for _ in range(self.count)]
        self.objects = max(1, min(40, self.count // 500))
        self.arcs = [[] for _ in range(self.count)]
        self.calls_left = [0] * self.count
        for callee in range(self.count - 1):
            for _ in range(1 + dice.below(4)):
                near = min(self.count, callee + 50) if dice.below(4) == 0 else self.count
                arc = Arc(callee, 1 + dice.below(1 << (1 + dice.below(14))))
                self.arcs[callee + 1 + dice.below(near - callee - 1) if near > callee + 1 else callee + 1].append(arc)
                self.calls_left[callee] += arc.count
        self.cost_left = [0] * self.count

    def object_of(self, i):
        return "/usr/lib/x86_64-linux-gnu/lib%s.so.%d" % (THINGS[i * self.objects // self.count % len(THINGS)].lower(), i * self.objects // self.count)

    def share(self, arc):
        """What of its callee's cost a call is given; the last call takes what is left."""
        left = self.calls_left[arc.callee]
        cost = self.cost_left[arc.callee] * arc.count // left
        self.calls_left[arc.callee] = left - arc.count
        self.cost_left[arc.callee] -= cost
        return cost


def make_valgrind(options, out):
    dice = Dice(options.seed)
    program = Program(dice, options)
    total = sum(program.runs[pick][1] for pick in program.picks)
    out.put("# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\npid: 1234\ncmd:  ./shop --bench\npart: 1\n\n\n"
            "desc: I1 cache: \ndesc: D1 cache: \ndesc: LL cache: \n\ndesc: Timerange: Basic block 0 - 1000000\n"
            "desc: Trigger: Program termination\n\npositions: line\nevents: Ir\nsummary: %d\n\n" % total)
    objects, files, functions = Names(), Names(), Names()
    before = None
    for i in range(program.count):
        here = program.object_of(i)
        if here != before:
            out.put("\nob=%s" % objects.ref(here))
        before = here
        out.put("\nfl=%s\nfn=%s\n" % (files.ref(program.file_of[i]), functions.ref(native_name(i))))
        write_body(dice, program, i, (objects, files, functions), out.put)
    out.put("\ntotals: %d\n" % total)


def write_body(dice, program, i, names, put):
    lines, cost = program.runs[program.picks[i]]
    turn = dice.below(len(lines))
    lines = lines[turn:] + lines[:turn]
    # the first line gives its number in full, the others go on from it
    lines[0] = "%d %s" % (program.line_of[i], lines[0].split(" ", 1)[1])
    arcs = program.arcs[i]
    step = len(lines) // (len(arcs) + 1) or 1
    at = 0
    for number, arc in enumerate(arcs):
        upto = min(len(lines), max(1, (number + 1) * step))
        write_lines(program, i, lines[at:upto], names[1], put)
        at = upto
        share = program.share(arc)
        cost += share
        put(call_text(program, i, arc, share, names))
    write_lines(program, i, lines[at:], names[1], put)
    program.cost_left[i] = cost


def write_lines(program, i, lines, files, put):
    """Now and then some lines come from another file: inlined code."""
    if len(lines) < 60:
        put("".join(lines))
        return
    other = program.files[(i * 31 + len(lines)) % len(program.files)]
    third = len(lines) // 3
    put("".join(lines[:third]))
    put("fi=%s\n%sfe=%s\n" % (files.ref(other), "".join(lines[third : 2 * third]), files.ref(program.file_of[i])))
    put("".join(lines[2 * third :]))


def call_text(program, i, arc, share, names):
    objects, files, functions = names
    text = ""
    if program.object_of(arc.callee) != program.object_of(i):
        text += "cob=%s\n" % objects.ref(program.object_of(arc.callee))
    if program.file_of[arc.callee] != program.file_of[i]:
        text += "cfi=%s\n" % files.ref(program.file_of[arc.callee])
    return "%scfn=%s\ncalls=%d %d\n* %d\n" % (text, functions.ref(native_name(arc.callee)), arc.count, program.line_of[arc.callee], share)


# ---- folded stacks ----


def make_folded(options, out):
    """Four lines of five have a stack that was there before."""
    dice = Dice(options.seed)
    names = ["%s::%s<%s>::%s(%s const&)" % (dice.one_of(THINGS).lower(), dice.one_of(THINGS), dice.one_of(THINGS), dice.one_of(VERBS), dice.one_of(THINGS))
             if i % 3 == 0 else "%s_%s_%d" % (dice.one_of(VERBS), dice.one_of(THINGS), i) for i in range(4000)]
    callees = [[dice.below(len(names)) for _ in range(1 + dice.below(6))] for _ in names]
    stacks = []
    while out.len < options.mb * 1e6:
        if not stacks or dice.below(5) == 0:
            stack = [dice.below(40)]
            for _ in range(5 + dice.below(20) + (dice.below(36) if dice.below(4) == 0 else 0)):
                stack.append(dice.one_of(callees[stack[-1]]))
            stacks.append("server;" + ";".join(names[i] for i in stack))
        out.put("%s %d\n" % (dice.one_of(stacks), 1 + dice.below(1000)))


MAKERS = {"xdebug": make_xdebug, "valgrind": make_valgrind, "folded": make_folded}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--style", choices=MAKERS, default="xdebug")
    parser.add_argument("--mb", type=float, default=10, help="million bytes to make (10)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    out = Text()
    MAKERS[options.style](options, out)
    out.flush()


if __name__ == "__main__":
    main()
