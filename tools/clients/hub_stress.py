"""The engine's Hub conversation under pressure: stop, ping, end of input, garbage."""

import itertools
import random
import re
import sys
import time

from common import END_SECONDS, GARBAGE_BYTES
from common import CheckFailed, Report, arguments, hub_move_key, hub_position
from common import judge_latency, median, on_termination, square_from_b8
from engine_process import EngineProcess, UciEngine, kill_engines

START = "Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww"
FENS = [
    "W:We3,g3,h4,a5,b2,h2,a3,Kf8:Bc5,e5,g5,g7,h8",
    "W:Wc3,g3:Bd4",  # a forced move
    "W:WKd8,Ke7,Ka5:BKf8",  # a long win
    "W:WKb8:BKc1",  # one king each
    "B:Wf2,Kb8:Bh4,a7,Kc1",
    "W:Wh6:Bf8,g7",  # no move: the side to move has lost
]
NONSENSE = [
    b"",
    b"   \t  ",
    b"pos pos=W",
    b"pos",
    b"level",
    b"level depth=abc",
    b"set-param",
    b"set-param name=nothing value=5",
    b"set-param name=threads value=abc",
    b'pos pos="',
    b"stop",
    b"ponder-hit",
    b"xyzzy a=b",
    bytes(range(0x80, 0x100)) * 20,
    b"\x00\x01\x02",
]


def is_done(line):
    """Whether a line ends a search."""
    return line.split(" ", 1)[0] == "done"


class HubEngine(EngineProcess):
    """An engine spoken to in the Hub manner."""

    def handshake(self):
        """`hub` ... `wait`, `init` ... `ready`; returns the lines before `wait`."""
        self.send("hub")
        lines, _ = self.read_until(lambda line: line == "wait", 5.0, "waiting for `wait`")
        self.send("init")
        self.read_until(lambda line: line == "ready", 10.0, "waiting for `ready`")
        return lines[:-1]

    def ping(self, timeout=5.0):
        """Sends `ping` and waits; returns the lines that came before `pong`."""
        self.send("ping")
        lines, _ = self.read_until(lambda line: line == "pong", timeout, "waiting for pong")
        return lines[:-1]


def require_answer(lines, legal, position):
    """Exactly one `done`, with a legal move of the position sent last, or bare without one."""
    answers = [line for line in lines if is_done(line)]
    if len(answers) != 1:
        raise CheckFailed(f"{len(answers)} answers in {position}: {answers}")
    if not legal:
        if answers[0] != "done":
            raise CheckFailed(f"{answers[0]!r} where no move is possible: {position}")
        return
    match = re.fullmatch(r"done move=([0-9x-]+)(?: ponder=[0-9x-]+)?", answers[0])
    if not match:
        raise CheckFailed(f"malformed {answers[0]!r} in {position}")
    if hub_move_key(match.group(1), square_from_b8) not in legal:
        raise CheckFailed(f"{answers[0]!r} in {position}, legal: {sorted(legal)[:20]}")
    if not any(line.startswith("info ") and " score=" in line for line in lines):
        raise CheckFailed(f"no score before {answers[0]!r} in {position}")


def require_silent_stderr(engine):
    """Clients read the standard error as if it were the protocol, so it must stay empty."""
    if engine.stderr:
        raise CheckFailed(f"wrote to its standard error: {engine.stderr[:200]}")


def legal_moves(path):
    """Hub position -> legal moves, from the UCI side of the same program."""
    positions = {START: "position startpos"}
    positions.update({hub_position(fen): f"position fen {fen}" for fen in FENS})
    with UciEngine(path) as engine:
        engine.handshake()
        return {hub: engine.legal_moves(command) for hub, command in positions.items()}


def examine_declaration(lines):
    """The lines before `wait`, in the exact form the clients can digest; returns the parameters."""
    names = []
    for line in lines:
        command, *tokens = re.findall(r'(?:[^\s"]|"[^"]*")+', line)
        if command not in ("id", "param"):
            raise CheckFailed(f"unexpected line {line!r}")
        for token in tokens:
            if token.count("=") != 1:
                raise CheckFailed(f"token {token!r} in {line!r}")
        if not tokens or not tokens[0].startswith("name="):
            raise CheckFailed(f"the name is not first in {line!r}")
        if command == "param":
            names.append(tokens[0][len("name="):])
    if not lines or not lines[0].startswith("id "):
        raise CheckFailed(f"begins with {lines[:1]}, not with id")
    variant = [line for line in lines if line.startswith("param name=variant ")]
    if len(variant) != 1 or not re.search(r'values="?russian"?$', variant[0]):
        raise CheckFailed(f"declaration of the variant: {variant}")
    if "hub-squares" not in names:
        raise CheckFailed(f"hub-squares is not among the parameters {names}")
    return names


def check_handshake(report, path):
    """The mode is chosen on the command line or by the first line, and nobody speaks unasked."""
    with report.check("handshake") as detail:
        for words in (["hub"], []):
            with HubEngine(path, *words) as engine:
                early = engine.waiting_lines(0.3)
                if early:
                    raise CheckFailed(f"said {early[0]!r} before it was asked")
                names = examine_declaration(engine.handshake())
                engine.ping()
                require_silent_stderr(engine)
        detail.text = f"as argument and as first line; parameters {', '.join(names)}"


def check_stop(report, path, rng, cycles, legal):
    """Every search that is stopped ends with exactly one `done`.

    Hub lets an engine end an analysis by itself; then `stop` finds it idle and adds nothing.
    """
    with report.check("stop") as detail, HubEngine(path, "hub") as engine:
        engine.handshake()
        delays = []
        early = 0
        for number in range(1, cycles + 1):
            position = rng.choice(list(legal))
            engine.send(f"pos pos={position}")
            engine.send("level infinite")
            engine.send(rng.choice(["go analyze", "go ponder"]))
            time.sleep(rng.uniform(0.0, 0.02))
            lines = engine.waiting_lines()
            stopped = time.monotonic()
            engine.send("stop")
            if any(map(is_done, lines)):
                early += 1
            else:
                rest, moment = engine.read_until(is_done, 5.0, f"stopping search {number}")
                delays.append(moment - stopped)
                lines += rest
            lines += engine.ping()  # whatever else belongs to this search comes before the pong
            require_answer(lines, legal[position], position)
        leftover = [line for line in engine.waiting_lines(0.3) if is_done(line)]
        if leftover:
            raise CheckFailed(f"{leftover[0]!r} after the last search had been answered")
        if delays and median(delays) > 0.1:
            raise CheckFailed(f"done {median(delays):.3f} s after stop (median)")
        require_silent_stderr(engine)
        report.count(searches=cycles)
        detail.text = (
            f"{cycles} searches, done {median(delays) * 1000:.1f} ms after stop (median), "
            f"{early} had ended by themselves"
        )


def check_think(report, path, rng, cycles, legal):
    """Short searches one after the other: one `done` each, without any `stop`."""
    levels = [
        "level depth=1",
        "level nodes=10",
        "level move-time=0.001",
        "level time=0.01 inc=0.01",
        "level time=-0.5 inc=0.5",
        "level moves=1 time=0.1",
        "level time=1e-05",
    ]
    with report.check("think") as detail, HubEngine(path, "hub") as engine:
        engine.handshake()
        for number in range(1, cycles + 1):
            position = rng.choice(list(legal))
            level = rng.choice(levels)
            engine.send(f"pos pos={position}\n{level}\ngo think")
            lines, _ = engine.read_until(is_done, 5.0, f"in search {number}, {level}, {position}")
            if number % 10 == 0:
                engine.send("stop")
                lines += engine.ping()
            require_answer(lines, legal[position], position)
        if any(map(is_done, engine.waiting_lines(0.3))):
            raise CheckFailed("a second answer after the last search")
        require_silent_stderr(engine)
        report.count(searches=cycles)
        detail.text = f"{cycles} searches, {len(levels)} kinds of level"


def check_ping(report, path):
    """`ping` during a search is answered at once and does not end the search."""
    with report.check("ping-while-searching") as detail, HubEngine(path, "hub") as engine:
        engine.handshake()
        engine.send(f"pos pos={START}\nlevel infinite\ngo analyze")
        times = []
        for _ in range(100):
            started = time.monotonic()
            lines = engine.ping()
            times.append(time.monotonic() - started)
            if any(map(is_done, lines)):
                raise CheckFailed("the search has ended while it was pinged")
            time.sleep(0.005)
        engine.send("stop")
        engine.read_until(is_done, 5.0, "stopping")
        detail.text = judge_latency(times)


def check_end_of_input(report, path):
    """The end of the input ends the process: no orphan may go on searching."""
    cases = {
        "at-start": "",
        "idle": f"hub\ninit\npos pos={START}\n",
        "analyzing": f"hub\ninit\npos pos={START}\nlevel infinite\ngo analyze\n",
        "pondering": f"hub\ninit\npos pos={START}\nlevel time=60 inc=1\ngo ponder\n",
    }
    for name, text in cases.items():
        with report.check(f"end-of-input-{name}") as detail, HubEngine(path, "hub") as engine:
            engine.send_bytes(text.encode(), "starting")
            time.sleep(0.2 if text else 0.0)
            engine.close_stdin()
            took, _ = engine.expect_end(END_SECONDS, "the end of its input")
            detail.text = f"gone after {took * 1000:.0f} ms, status 0"


def check_quit(report, path):
    """`quit` ends the process at once, also while it is thinking."""
    with report.check("quit") as detail:
        times = []
        for text in ("hub\ninit\n", f"hub\ninit\npos pos={START}\nlevel time=600\ngo think\n"):
            with HubEngine(path, "hub") as engine:
                engine.send_bytes(text.encode(), "starting")
                time.sleep(0.2)
                engine.send("quit")
                times.append(engine.expect_end(END_SECONDS, "quit")[0])
        detail.text = f"idle and thinking, up to {max(times) * 1000:.0f} ms"


def check_refused(report, path):
    """After a position that was refused the next `go` is answered by a bare `done` at once.

    Clients wait without end, so silence is the worst answer; a move of another position is the
    second worst.
    """
    cases = [
        "pos pos=Wxyz",
        f"pos pos={START}e",
        f'pos pos={START} moves="22-18 1-5"',
        "pos pos=Wweeeeeeeeeeeeeeeeeeeeeeeeeeeeeeb",  # men on the rows where they are crowned
    ]
    with report.check("refused-position") as detail, HubEngine(path, "hub") as engine:
        engine.handshake()
        for case in cases:
            engine.send(f"pos pos={START}")
            engine.send(case)
            lines = engine.ping()
            if not any(line.startswith("error") for line in lines):
                raise CheckFailed(f"no error message for {case!r}")
            engine.send("level move-time=0.1\ngo think")
            lines, _ = engine.read_until(is_done, 2.0, f"go after {case!r}")
            if lines[-1] != "done":
                raise CheckFailed(f"{lines[-1]!r} after {case!r}")
        engine.send(f"pos pos={START}\nlevel depth=2\ngo think")
        lines, _ = engine.read_until(is_done, 5.0, "go after a good position")
        if lines[-1] == "done":
            raise CheckFailed("no move for a good position after bad ones")
        detail.text = f"{len(cases)} refused, the next good one is searched"


def check_capture_orders(report, path):
    """Hub lists the captured pieces in any order; only their set tells the move."""
    same_ends = "W:Wa3,b2,h2,e3,g3,h4,a5,Kf8:Bc5,e5,g5,g7,h8"
    after_one = "B:Wa3,b2,h2,e3,g3,h4,a5,Kb4:Be5,g5,g7,h8"
    after_four = "B:Wa3,b2,h2,e3,g3,h4,a5,Kb4:Bh8"
    round_trip, after_trip = "W:Wc7:Bb6,d6,b4,d4,e3,f2", "B:Wc7:Be3,f2"
    cases = [(same_ends, "3x17x14", after_one)]
    for order in itertools.permutations((8, 14, 15, 16)):
        cases.append((same_ends, "x".join(map(str, (3, 17, *order))), after_four))
    cases.append((round_trip, "6x6x9x10x17x18", after_trip))
    cases.append((round_trip, "6x6x18x9x17x10", after_trip))
    with report.check("capture-orders") as detail:
        with UciEngine(path) as engine:
            engine.handshake()
            legal = {fen: engine.legal_moves(f"position fen {fen}") for _, _, fen in cases}
        with HubEngine(path, "hub") as engine:
            engine.handshake()
            for fen, move, after in cases:
                position = f'{hub_position(fen)} moves="{move}"'
                engine.send(f"pos pos={position}\nlevel depth=1\ngo think")
                lines, _ = engine.read_until(is_done, 5.0, f"go after {position}")
                require_answer(lines, legal[after], position)
        detail.text = f"{len(cases)} spellings"


def check_garbage(report, path, legal):
    """Nonsense of any kind and length: the engine stays, and answers the next sensible line."""
    tokens = (b"xyz=a # 00 " * (GARBAGE_BYTES // 11 + 1))[:GARBAGE_BYTES]
    with report.check("garbage-1-MB") as detail, HubEngine(path, "hub") as engine:
        engine.handshake()
        for line in (b"x" * GARBAGE_BYTES, tokens, b'x="' + tokens):
            engine.send_bytes(line + b"\n", "reading a line of 1 MB")
            engine.ping()
        engine.send(f"pos pos={START}\nlevel infinite\ngo analyze")
        engine.send_bytes(tokens + b"\n", "reading a line of 1 MB while searching")
        lines = engine.ping()
        engine.send("stop")
        rest, _ = engine.read_until(is_done, 5.0, "stopping")
        require_answer(lines + rest, legal[START], START)
        require_silent_stderr(engine)
        detail.text = "idle and searching, then pong and a legal move"

    with report.check("nonsense") as detail, HubEngine(path, "hub") as engine:
        engine.handshake()
        for line in NONSENSE:
            engine.send_bytes(line + b"\n", f"reading {line[:40]!r}")
            if any(map(is_done, engine.ping())):
                raise CheckFailed(f"{line[:40]!r} was answered by done")
        engine.send(f"pos pos={START}\nlevel depth=4\ngo think")
        lines, _ = engine.read_until(is_done, 5.0, "thinking after nonsense")
        require_answer(lines, legal[START], START)
        require_silent_stderr(engine)
        detail.text = f"{len(NONSENSE)} lines, then a legal move"


def main():
    """Runs all checks of this file."""
    options = arguments(__doc__, cycles={"type": int, "default": 1000})
    rng = random.Random(options.seed)
    on_termination(kill_engines)
    report = Report()
    check_handshake(report, options.engine)
    legal = None
    with report.check("legal-moves") as detail:
        legal = legal_moves(options.engine)
        detail.text = f"{len(legal)} positions to play from"
    if legal:
        check_stop(report, options.engine, rng, options.cycles, legal)
        check_think(report, options.engine, rng, options.cycles, legal)
        check_garbage(report, options.engine, legal)
    check_ping(report, options.engine)
    check_end_of_input(report, options.engine)
    check_quit(report, options.engine)
    check_refused(report, options.engine)
    check_capture_orders(report, options.engine)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
