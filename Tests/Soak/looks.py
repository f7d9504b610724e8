"""What the soak looks at each second, and what of it is flat."""

import os
import re
import socket
import statistics
import threading
import time
from collections import Counter
from pathlib import Path
from urllib.request import ProxyHandler, Request, build_opener

# How much the last quarter may exceed the second: a part of it, and so much in any case.
FLAT = {
    "memory MB": (0.10, 16),
    "descriptors": (0.10, 16),
    "threads": (0, 2),
    # Those that the system has for queues: as many as there was work at once, which is more on a busy machine.
    "workers": (0.50, 8),
    "store MB": (0.25, 32),
    "log MB": (0.25, 16),
    "unwritten s": (0.50, 1),
    "unindexed": (0.50, 2_000),
    "probe ms": (0.50, 100),
}
# What there is more of the more passes: a connection to each host of the last half minute is kept.
PACED = {"descriptors"}
# Fewer looks than this say nothing of what is flat.
LEAST = 120


class Looks(threading.Thread):
    """Looks at the proxy each second, in a thread that waits for no client."""

    def __init__(self, proxy):
        super().__init__(daemon=True)
        self.proxy, self.rows, self.faults = proxy, [], Counter()
        self.done = threading.Event()
        self.began = time.monotonic()

    def run(self):
        while not self.done.is_set():
            start = time.monotonic()
            try:
                self.rows.append(self.look())
            except (OSError, ValueError, KeyError) as problem:
                self.faults[f"a look: {type(problem).__name__}: {problem}"] += 1
            self.done.wait(max(0, 1 - (time.monotonic() - start)))

    def look(self):
        folder = Path(f"/proc/{self.proxy.process.pid}")
        status = dict(re.findall(r"^(\w+):\s+(\d+)", (folder / "status").read_text(), re.MULTILINE))
        start = time.monotonic()
        page = f"http://127.0.0.1:{self.proxy.page}/metrics"
        request = Request(page, headers={"Authorization": f"Bearer {self.proxy.token}"})
        text = build_opener(ProxyHandler({})).open(request, timeout=self.proxy.patience).read().decode()
        metrics = dict(re.findall(r"^(\w+) ([-0-9.e+]+)$", text, re.MULTILINE))
        workers = sum("qos" in name for name in self.threads(folder))
        return {
            "seconds": round(start - self.began, 1),
            "requests": sum(map(float, re.findall(r"^inspect_requests_total{.*} ([-0-9.e+]+)$", text, re.MULTILINE))),
            # What maps a file is left out: it is the system's to give back.
            "memory MB": int(status["RssAnon"]) / 1024,
            "descriptors": len(os.listdir(folder / "fd")),
            "threads": int(status["Threads"]) - workers,
            "workers": workers,
            "store MB": self.size(""),
            "log MB": self.size("-wal"),
            "unwritten s": float(metrics["inspect_write_lag_seconds"]),
            "unindexed": float(metrics["inspect_index_lag"]),
            "probe ms": self.probe(),
        }

    def threads(self, folder):
        """The names of its threads."""
        for thread in (folder / "task").iterdir():
            try:
                yield (thread / "comm").read_text()
            except OSError:
                pass

    def size(self, suffix):
        path = Path(f"{self.proxy.store}{suffix}")
        return path.stat().st_size / 2**20 if path.exists() else 0

    def probe(self):
        """How long the proxy's own refusal of a server that is not there takes, which waits for nobody else."""
        start = time.monotonic()
        with socket.create_connection(("127.0.0.1", self.proxy.port), timeout=self.proxy.patience) as plain:
            nobody = f"127.0.0.1:{self.proxy.nobody.getsockname()[1]}"
            plain.sendall(f"GET http://{nobody}/probe HTTP/1.1\r\nHost: {nobody}\r\nConnection: close\r\n\r\n".encode())
            if not plain.recv(4_096).startswith(b"HTTP/1.1 502"):
                raise ValueError("the probe was not answered by 502")
        return (time.monotonic() - start) * 1000

    @staticmethod
    def pace(rows):
        """How many requests ended each second."""
        seconds = rows[-1]["seconds"] - rows[0]["seconds"]
        return (rows[-1]["requests"] - rows[0]["requests"]) / seconds if seconds > 0 else 0

    def judged(self):
        """A line for each measure, and how many of them are not flat."""
        lines, bad = [f"{'':12}{'start':>10}{'end':>10}{'worst':>10}   second quarter, last quarter"], 0
        quarter = len(self.rows) // 4
        paces = [self.pace(rows) for rows in (self.rows[quarter : 2 * quarter], self.rows[-quarter:])] if quarter else [0, 0]
        lines.append(f"{'pace':42}   {paces[0]:.1f}, {paces[1]:.1f} requests a second")
        for name, (part, least) in FLAT.items():
            values = [row[name] for row in self.rows]
            line = f"{name:12}{values[0]:10.1f}{values[-1]:10.1f}{max(values):10.1f}   "
            if len(values) < LEAST:
                lines.append(line + "too short to say")
                continue
            before, after = statistics.median(values[quarter : 2 * quarter]), statistics.median(values[-quarter:])
            expected = before * max(1, paces[1] / paces[0]) if name in PACED and paces[0] > 0 else before
            limit = expected + max(expected * part, least)
            bad += after > limit
            lines.append(line + f"{before:.1f}, {after:.1f}: {'flat' if after <= limit else f'NOT FLAT, {limit:.1f} were allowed'}")
        return lines, bad


def draw(rows, path):
    """The curves as a picture, one below the other, each from nothing to its worst."""
    width, height = 900, 90
    last = rows[-1]["seconds"] or 1
    parts = []
    for place, name in enumerate(FLAT):
        top, worst = place * height, max(row[name] for row in rows)
        points = " ".join(
            f"{10 + row['seconds'] / last * (width - 20):.1f},{top + height - 10 - row[name] / (worst or 1) * (height - 35):.1f}" for row in rows
        )
        parts.append(f'<text x="10" y="{top + 16}">{name}: {rows[0][name]:.1f}, {rows[-1][name]:.1f}, at most {worst:.1f}</text>')
        parts.append(f'<polyline points="{points}" fill="none" stroke="#2563a8"/>')
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height * len(FLAT)}" font-family="sans-serif" font-size="12">'
    path.write_text("\n".join([head, '<rect width="100%" height="100%" fill="#fff"/>', *parts, "</svg>\n"]))
