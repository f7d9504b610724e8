"""Reads a HAR file as other tools do and prints, as JSON, how many entries each got through: the schema, haralyzer, Chrome's number rule."""
import json
import math
import pathlib
import sys

import jsonschema
from haralyzer import HarEntry, HarParser

path = sys.argv[1]
har = json.load(open(path, encoding="utf-8"))
entries = har["log"]["entries"]

schema = json.load(open(pathlib.Path(__file__).with_name("har-1.2.schema.json")))
validator = jsonschema.Draft202012Validator(schema, format_checker=jsonschema.FormatChecker())
problems = [f"{'/'.join(map(str, error.absolute_path))}: {error.message[:200]}" for error in validator.iter_errors(har)]


def number(value):
    """Chrome's HARBase.toNumber: Number(value) that is NaN refuses the whole file."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or math.isnan(value):
        raise ValueError(f"Casting to number results in NaN: {value!r}")


for entry in entries:
    number(entry["time"])
    for name in ("send", "wait", "receive"):
        number(entry["timings"][name])
    for name in ("headersSize", "bodySize"):
        number(entry["request"][name])
        number(entry["response"][name])
    number(entry["response"]["status"])
    number(entry["response"]["content"]["size"])
    timings = entry["timings"]
    phases = sum(max(0, timings.get(name, -1)) for name in ("blocked", "dns", "connect", "send", "wait", "receive"))
    if abs(phases - entry["time"]) > 0.0015:
        problems.append(f"time {entry['time']} is not the sum of the phases, {phases}")
    if timings.get("ssl", -1) > timings.get("connect", -1):
        problems.append("ssl is not within connect")

parser = HarParser(har)
seen = 0
_ = [len(page.entries) for page in parser.pages]
for entry in parser.har_data["entries"]:
    parsed = HarEntry(entry)
    _ = (parsed.request.method, parsed.url, parsed.status, parsed.response.mimeType, parsed.response.text, parsed.time)
    _ = (parsed.request.headers, parsed.response.headers, parsed.startTime, parsed.timings, parsed.response.bodySize)
    seen += 1

print(json.dumps({"entries": len(entries), "problems": problems, "haralyzer": seen}))
