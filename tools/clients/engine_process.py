"""A program driven by lines of text in which no wait is without an end."""

import os
import queue
import re
import signal
import subprocess
import threading
import time

from common import CheckFailed, last_words, move_key

# `move c3-d4 captured -` or `move a3:c5:e7 captured b4,d6`
_MOVE_LINE = re.compile(
    r"move ([a-h][1-8](?:-[a-h][1-8]|(?::[a-h][1-8])+)) captured (-|[a-h][1-8](?:,[a-h][1-8])*)"
)
_COUNT_LINE = re.compile(r"moves (\d+)")


_running = []


def kill_engines():
    """Kills every engine that this script has started and not ended."""
    for engine in list(_running):
        engine.kill()


class EngineProcess:
    """An engine at the other end of two pipes.

    A thread reads its output all the time, so the engine can never be blocked by a full pipe
    and every line carries the moment of its arrival.
    """

    def __init__(self, path, *words):
        self._lines = queue.Queue()
        self._stderr = []
        self.process = subprocess.Popen(
            [path, *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        _running.append(self)
        self._readers = [
            threading.Thread(target=self._read_stdout, daemon=True),
            threading.Thread(target=self._read_stderr, daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()
        return False

    def _read_stdout(self):
        for raw in self.process.stdout:
            line = raw.decode("utf-8", "replace").rstrip("\r\n")
            self._lines.put((time.monotonic(), line))
        self._lines.put((time.monotonic(), None))

    def _read_stderr(self):
        for raw in self.process.stderr:
            self._stderr.append(raw.decode("utf-8", "replace").rstrip("\r\n"))

    @property
    def stderr(self):
        """What the engine has written to its standard error, in one line."""
        return last_words(self._stderr)

    def _died(self, doing):
        try:
            status = self.process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            status = "none, output closed"
        return CheckFailed(f"the engine ended (status {status}) while {doing}; {self.stderr}")

    def send(self, line):
        """Sends one line."""
        self.send_bytes(line.encode() + b"\n", f"sending {line[:60]!r}")

    def send_bytes(self, data, doing, timeout=5.0):
        """Sends raw bytes; fails when the engine does not take them in time."""
        errors = []

        def write():
            try:
                self.process.stdin.write(data)
                self.process.stdin.flush()
            except (OSError, ValueError) as error:
                errors.append(error)

        if len(data) <= 4096:
            write()
        else:  # more than a pipe surely holds: a writer of its own, so that we can give up
            writer = threading.Thread(target=write, daemon=True)
            writer.start()
            writer.join(timeout)
            if writer.is_alive():
                self.kill()
                raise CheckFailed(f"the engine did not read its input for {timeout:g} s")
        if errors:
            raise self._died(doing)

    def read(self, timeout, doing):
        """The next line and its time of arrival."""
        try:
            moment, line = self._lines.get(timeout=max(timeout, 0.0))
        except queue.Empty:
            raise CheckFailed(f"no answer within {timeout:.3g} s while {doing}") from None
        if line is None:
            self._lines.put((moment, None))
            raise self._died(doing)
        return moment, line

    def read_until(self, wanted, timeout, doing):
        """Reads until `wanted(line)` is true; returns all lines and when the last one came."""
        end = time.monotonic() + timeout
        lines = []
        while True:
            left = end - time.monotonic()
            if left <= 0:
                raise CheckFailed(f"no answer within {timeout:g} s while {doing}")
            moment, line = self.read(left, doing)
            lines.append(line)
            if wanted(line):
                return lines, moment

    def waiting_lines(self, seconds=0.0):
        """The lines that are there already or arrive within the given time."""
        end = time.monotonic() + seconds
        lines = []
        while True:
            left = end - time.monotonic()
            try:
                if left > 0:
                    moment, line = self._lines.get(timeout=left)
                else:
                    moment, line = self._lines.get_nowait()
            except queue.Empty:
                return lines
            if line is None:
                self._lines.put((moment, None))
                return lines
            lines.append(line)

    def close_stdin(self):
        """Ends the input of the engine."""
        try:
            self.process.stdin.close()
        except OSError:
            pass

    def expect_end(self, seconds, doing):
        """Waits for the end of the process; returns the time it took and the unread lines."""
        started = time.monotonic()
        try:
            status = self.process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            raise CheckFailed(f"still running {seconds:g} s after {doing}") from None
        took = time.monotonic() - started
        if status != 0:
            raise CheckFailed(f"status {status} instead of 0 after {doing}; {self.stderr}")
        for reader in self._readers:
            reader.join(1.0)
        return took, self.waiting_lines()

    def kill(self):
        """Ends the process and everything it has started, at once."""
        if self.process.poll() is None:
            try:
                if os.name == "posix":
                    os.killpg(self.process.pid, signal.SIGKILL)
                else:
                    self.process.kill()
            except (OSError, ProcessLookupError):
                pass
            self.process.wait()
        self.close_stdin()
        if self in _running:
            _running.remove(self)


class UciEngine(EngineProcess):
    """An engine spoken to in the UCI manner."""

    def ready(self, timeout=5.0):
        """Sends `isready` and waits; returns the lines that came before `readyok`."""
        self.send("isready")
        lines, _ = self.read_until(lambda line: line == "readyok", timeout, "waiting for readyok")
        return lines[:-1]

    def handshake(self):
        """`uci` ... `uciok`, `isready` ... `readyok`; returns the lines of the former."""
        self.send("uci")
        lines, _ = self.read_until(lambda line: line == "uciok", 5.0, "waiting for uciok")
        self.ready()
        return lines

    def legal_moves(self, position):
        """The legal moves after a `position` command: a dictionary from move key to path.

        The answer to `moves` is read strictly, since scripts depend on its exact form: a line
        for every move, the number of moves last, no move twice.
        """
        self.send(position)
        self.send("moves")
        found = {}
        while True:
            _, line = self.read(5.0, f"listing the moves of {position!r}")
            count = _COUNT_LINE.fullmatch(line)
            if count:
                if int(count.group(1)) != len(found):
                    raise CheckFailed(
                        f"{position!r}: `{line}` after {len(found)} lines of moves"
                    )
                return found
            match = _MOVE_LINE.fullmatch(line)
            if not match:
                raise CheckFailed(f"{position!r}: unexpected line {line!r} among the moves")
            path = match.group(1)
            squares = re.split("[-:]", path)
            captured = [] if match.group(2) == "-" else match.group(2).split(",")
            jumps = len(squares) - 1 if ":" in path else 0
            if len(captured) != jumps or len(set(captured)) != jumps:
                raise CheckFailed(f"{position!r}: path and captured squares differ in {line!r}")
            key = move_key(squares[0], squares[-1], captured)
            if key in found:
                raise CheckFailed(f"{position!r}: {path} is the same move as {found[key]}")
            found[key] = path
