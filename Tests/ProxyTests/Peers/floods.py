"""HTTP/2 clients that flood, bomb and stall.

usage: floods.py PROXY_PORT PROXY_ROOT ORIGIN_PORT ATTACK COUNT; prints a JSON object: whether the connection was ended, and with which code.
"""
import json, struct, sys, time
from rawhttp2 import *

PROXY, ROOT, ORIGIN, ATTACK, COUNT = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4], int(sys.argv[5])


def connect(*pairs, **more): return Raw(PROXY, ROOT, ORIGIN, *pairs, **more)


def batches(make, count=COUNT, size=100):
    """Frames in writes of a hundred; the attacker reads nothing."""
    for start in range(0, count, size):
        yield b"".join(make(index) for index in range(start, min(start + size, count)))


def flood(raw, make, **more):
    for piece in batches(make, **more): raw.send(piece)


def rapid_reset(raw):
    flood(raw, lambda i: raw.head(2 * i + 1) + frame(RST, 0, 2 * i + 1, struct.pack(">I", 8)))


def made_you_reset_window(raw):
    flood(raw, lambda i: raw.head(2 * i + 1, flags=END_HEADERS) + frame(WINDOW, 0, 2 * i + 1, struct.pack(">I", 0)))


def made_you_reset_data(raw):
    flood(raw, lambda i: raw.head(2 * i + 1) + frame(DATA, 0, 2 * i + 1, b"x"))


def made_you_reset_overflow(raw):
    top = struct.pack(">I", 0x7FFFFFFF)
    flood(raw, lambda i: raw.head(2 * i + 1, flags=END_HEADERS) + frame(WINDOW, 0, 2 * i + 1, top))


def made_you_reset_head(raw):
    bad = raw.fields(more=[("connection", "x")])
    flood(raw, lambda i: raw.head(2 * i + 1, bad))


def continuation(raw):
    raw.send(frame(HEADERS, END_STREAM, 1, raw.block(raw.fields())))
    flood(raw, lambda i: frame(CONTINUATION, 0, 1, b"\0\1a\x7f\xff\x7d" + b"x" * 16_000), size=4)


def continuation_empty(raw):
    raw.send(frame(HEADERS, END_STREAM, 1, raw.block(raw.fields())))
    flood(raw, lambda i: frame(CONTINUATION, 0, 1))


def settings_flood(raw): flood(raw, lambda i: settings((4, 65_535)))


def ping_flood(raw): flood(raw, lambda i: frame(PING, 0, 0, struct.pack(">Q", i)))


def priority_flood(raw): flood(raw, lambda i: frame(PRIORITY, 0, 2 * i + 1, struct.pack(">IB", 0, 16)))


def empty_data(raw):
    raw.request(1, raw.fields(method="POST"), flags=END_HEADERS)
    flood(raw, lambda i: frame(DATA, 0, 1))


def hpack_bomb(raw):
    # One entry of 4,000 bytes in the table, then a byte for each time it is meant.
    entry = b"\x40\x01a" + b"\x7f\xa1\x1e" + b"x" * 4_000
    raw.send(frame(HEADERS, END_STREAM | END_HEADERS, 1, raw.block(raw.fields()) + entry))
    for index in range(COUNT):
        raw.send(frame(HEADERS, END_STREAM | END_HEADERS, 2 * index + 3, raw.block(raw.fields()) + b"\xbe" * 16_000))


def many_fields(raw):
    # 1,001 fields of one byte each, cookie crumbs.
    for index in range(COUNT):
        raw.request(2 * index + 1, raw.fields(more=[("cookie", "")] * 1_001))
    return raw.outcome(2 * COUNT - 1)


def window_overflow(raw): raw.send(frame(WINDOW, 0, 0, struct.pack(">I", 0x7FFFFFFF)))


def frame_too_long(raw): raw.send(frame(DATA, 0, 0, bytes(16_385)) + bytes(100_000))


def push(raw): raw.send(frame(PUSH, END_HEADERS, 1, struct.pack(">I", 2) + raw.block(raw.fields())))


def data_on_idle(raw): raw.send(frame(DATA, 0, 7, b"x"))


def head_on_zero(raw): raw.send(raw.head(0))


def head_on_even(raw): raw.send(raw.head(2))


def ids_backwards(raw): raw.send(raw.head(5) + raw.head(3))


def bare_continuation(raw): raw.send(frame(CONTINUATION, END_HEADERS, 1, raw.block(raw.fields())))


def interleaved(raw): raw.send(frame(HEADERS, END_STREAM, 1, raw.block(raw.fields())) + frame(PING, 0, 0, bytes(8)))


def short_settings(raw): raw.send(frame(SETTINGS, 0, 0, bytes(5)))


def bad_window_setting(raw): raw.send(settings((4, 0x80000000)))


def bad_frame_size_setting(raw): raw.send(settings((5, 100)))


def settings_on_stream(raw): raw.send(frame(SETTINGS, 0, 1))


def short_ping(raw): raw.send(frame(PING, 0, 0, bytes(7)))


def reset_idle(raw): raw.send(frame(RST, 0, 9, bytes(4)))


def padding_too_long(raw): raw.send(frame(HEADERS, END_STREAM | END_HEADERS | PADDED, 1, b"\xff" + raw.block(raw.fields())))


def bad_hpack(raw): raw.send(frame(HEADERS, END_STREAM | END_HEADERS, 1, b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"))


def bad_huffman(raw): raw.send(frame(HEADERS, END_STREAM | END_HEADERS, 1, b"\0\x84\xff\xff\xff\xff\0"))


def table_too_large(raw): raw.send(frame(HEADERS, END_STREAM | END_HEADERS, 1, b"\x3f\xe1\xff\xff\x7f" + raw.block(raw.fields())))


def unknown_frames(raw):
    flood(raw, lambda i: frame(0xEE, 0xFF, i % 50, b"unknown"))
    raw.request(1)
    return raw.outcome(1)


def altsvc_origin(raw):
    for _ in range(50): raw.send(frame(0xA, 0, 0, b"\0\0h2=\":1\"") + frame(0xC, 0, 0, b"\0\5https"))
    raw.request(1)
    return raw.outcome(1)


def stalled_windows(raw):
    # Every stream but the last is stalled by its window; the last has one.
    for index in range(90): raw.request(2 * index + 1, raw.fields("/large"))
    raw.request(1001, raw.fields("/large"))
    raw.send(frame(WINDOW, 0, 0, struct.pack(">I", 1 << 30)))
    raw.send(frame(WINDOW, 0, 1001, struct.pack(">I", 1 << 30)))
    return raw.outcome(1001, within=30)


def window_drip(raw):
    # The response's head is there, its content may come byte by byte.
    for index in range(90): raw.request(2 * index + 1, raw.fields("/large"))
    for _ in range(COUNT):
        raw.send(b"".join(frame(WINDOW, 0, 2 * index + 1, struct.pack(">I", 1)) for index in range(90)))
        time.sleep(.01)
    raw.send(raw.head(1001) + frame(WINDOW, 0, 1001, struct.pack(">I", 1 << 20)))
    return raw.outcome(1001)


def no_preface(raw): pass


raw = connect(*([(4, 0)] if ATTACK in ("stalled_windows", "window_drip") else []),
              **({"preface": b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"} if ATTACK == "no_preface" else {}))
outcome, began = None, time.time()
try:
    outcome = globals()[ATTACK](raw)
except Closed:
    pass
ended = False if outcome else raw.wait_end()
json.dump({"ended": ended, "code": raw.goaway, "outcome": outcome}, sys.stdout)
