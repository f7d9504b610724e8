"""An HTTP/2 upstream that floods, bombs and breaks the rules, and a client of HTTP/2 that asks for each of these by its path.

Beside the attacked stream the client has another one open to the same upstream, and afterwards it asks once more on the same connection.

usage: hostile_upstream.py PROXY_PORT PROXY_ROOT SERVER_CERT SERVER_KEY ATTACK...; prints a JSON list of what the client saw.
"""
import json, socket, struct, sys, time
from origin import listen
from patience import seconds
from rawhttp2 import *

PROXY, ROOT, CERT, KEY, ATTACKS = int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4], sys.argv[5:]
OK = [(":status", "200")]
TOP = 0x7FFFFFFF
BIG = b"x" * 16_000


def literal(name, value):
    """A field without indexing, whatever its bytes."""
    def string(data): return (bytes([len(data)]) if len(data) < 127 else b"\x7f" + varint(len(data) - 127)) + data
    return b"\0" + string(name) + string(value)


def varint(number):
    out = b""
    while number >= 128:
        out += bytes([number % 128 | 128])
        number //= 128
    return out + bytes([number])


def block(*fields): return b"".join(literal(name.encode("latin-1"), value.encode("latin-1")) for name, value in fields)


def headers(stream, payload, flags=END_HEADERS): return frame(HEADERS, flags, stream, payload)


def answer(stream, *fields, data=b"hello"):
    return headers(stream, block(*fields)) + frame(DATA, END_STREAM, stream, data)


# Attacks on one stream: what is sent in place of an answer.
STREAM = {
    "uppercase": lambda s: answer(s, *OK, ("X-Upper", "y")),
    "cr_lf": lambda s: answer(s, *OK, ("x", "a\r\nset-cookie: b")),
    "bare_lf": lambda s: answer(s, *OK, ("x", "a\nb")),
    "nul": lambda s: answer(s, *OK, ("x", "a\0b")),
    "name_lf": lambda s: answer(s, *OK, ("x\r\ny", "b")),
    "name_space": lambda s: answer(s, *OK, ("x y", "b")),
    "connection": lambda s: answer(s, *OK, ("connection", "close")),
    "keep_alive": lambda s: answer(s, *OK, ("keep-alive", "timeout=5")),
    "transfer_encoding": lambda s: answer(s, *OK, ("transfer-encoding", "chunked")),
    "upgrade": lambda s: answer(s, *OK, ("upgrade", "h2c")),
    "no_status": lambda s: answer(s, ("x", "y")),
    "two_status": lambda s: answer(s, *OK, (":status", "404")),
    "late_status": lambda s: answer(s, ("x", "y"), *OK),
    "status_101": lambda s: answer(s, (":status", "101")),
    "status_text": lambda s: answer(s, (":status", "abc")),
    "status_long": lambda s: answer(s, (":status", "2000")),
    "status_low": lambda s: answer(s, (":status", "099")),
    "status_lines": lambda s: answer(s, (":status", "200\r\nx: y")),
    "late_pseudo": lambda s: answer(s, *OK, ("x", "y"), (":path", "/")),
    "request_pseudo": lambda s: answer(s, *OK, (":path", "/")),
    "too_many_fields": lambda s: answer(s, *OK, *[("x", "")] * 1_001),
    "two_lengths": lambda s: answer(s, *OK, ("content-length", "5"), ("content-length", "6")),
    "bad_length": lambda s: answer(s, *OK, ("content-length", "+5")),
    "length_short": lambda s: answer(s, *OK, ("content-length", "9")),
    "length_long": lambda s: answer(s, *OK, ("content-length", "3")),
    "length_no_data": lambda s: headers(s, block(*OK, ("content-length", "5")), END_HEADERS | END_STREAM),
    "data_first": lambda s: frame(DATA, END_STREAM, s, b"hello"),
    "interim_ends": lambda s: headers(s, block((":status", "103")), END_HEADERS | END_STREAM),
    "interim_forever": lambda s: b"".join(headers(s, block((":status", "103"))) for _ in range(1_000)),
    "trailer_pseudo": lambda s: headers(s, block(*OK)) + headers(s, block((":status", "200")), END_HEADERS | END_STREAM),
    "trailer_lines": lambda s: headers(s, block(*OK)) + headers(s, block(("x", "a\r\nb")), END_HEADERS | END_STREAM),
    "trailer_length": lambda s: headers(s, block(*OK)) + headers(s, block(("content-length", "5")), END_HEADERS | END_STREAM),
    "reset": lambda s: frame(RST, 0, s, struct.pack(">I", 2)),
    "reset_in_body": lambda s: headers(s, block(*OK)) + frame(DATA, 0, s, b"hello") + frame(RST, 0, s, struct.pack(">I", 2)),
}
# Attacks on the connection: pieces that are sent until it breaks.
CONNECTION = {
    "second_head": lambda s: [headers(s, block(*OK)) + headers(s, block(*OK)) + frame(DATA, END_STREAM, s, b"hello")],
    "settings_flood": lambda s: [settings((4, 65_535)) * 100] * 1_000,
    "ping_flood": lambda s: [frame(PING, 0, 0, bytes(8)) * 100] * 1_000,
    "priority_flood": lambda s: [frame(PRIORITY, 0, s, struct.pack(">IB", 0, 16)) * 100] * 1_000,
    "empty_data": lambda s: [headers(s, block(*OK))] + [frame(DATA, 0, s) * 100] * 1_000,
    "continuation": lambda s: [headers(s, block(*OK), 0)] + [frame(CONTINUATION, 0, s, literal(b"x", BIG))] * 1_000,
    "continuation_empty": lambda s: [headers(s, block(*OK), 0)] + [frame(CONTINUATION, 0, s) * 100] * 1_000,
    # One entry of 4,000 bytes in the table, then a byte for each time it is meant.
    "hpack_bomb": lambda s: [headers(s, block(*OK) + b"\x40\1a\x7f\xa1\x1e" + b"x" * 4_000 + b"\xbe" * 12_000)] * 1_000,
    "reset_flood": lambda s: [frame(RST, 0, s, struct.pack(">I", 8)) * 100] * 1_000,
    "oversize": lambda s: [frame(DATA, 0, s, bytes(16_385)) + bytes(100_000)],
    "large_list": lambda s: [headers(s, block(*OK), 0)] + [frame(CONTINUATION, END_HEADERS if i == 25 else 0, s, literal(b"x", BIG)) for i in range(26)],
    "push": lambda s: [frame(PUSH, END_HEADERS, s, struct.pack(">I", 2) + block(*OK))],
    "even_head": lambda s: [headers(2, block(*OK)) + answer(s, *OK)],
    "idle_data": lambda s: [frame(DATA, 0, 4_001, b"x") + answer(s, *OK)],
    "idle_reset": lambda s: [frame(RST, 0, 4_001, bytes(4)) + answer(s, *OK)],
    "bare_continuation": lambda s: [frame(CONTINUATION, END_HEADERS, s, block(*OK))],
    "interleaved": lambda s: [headers(s, block(*OK), 0) + frame(PING, 0, 0, bytes(8))],
    "bad_hpack": lambda s: [headers(s, b"\xff" * 10)],
    "bad_huffman": lambda s: [headers(s, b"\0\x84\xff\xff\xff\xff\0")],
    "empty_name": lambda s: [headers(s, block(*OK, ("", "x")))],
    "padding": lambda s: [frame(HEADERS, END_HEADERS | PADDED, s, b"\xff" + block(*OK))],
    "bad_window": lambda s: [settings((4, 0x80000000))],
    "bad_frame_size": lambda s: [settings((5, 100))],
    "connection_overflow": lambda s: [frame(WINDOW, 0, 0, struct.pack(">I", TOP))],
    "window_overflow": lambda s: [frame(WINDOW, 0, s, struct.pack(">I", TOP)) * 2],
    "window_overflow_in_body": lambda s: [headers(s, block(*OK)) + frame(DATA, 0, s, b"hello") + frame(WINDOW, 0, s, struct.pack(">I", TOP)) * 2],
    "window_zero": lambda s: [frame(WINDOW, 0, s, struct.pack(">I", 0))],
    "goaway": lambda s: [frame(GOAWAY, 0, 0, struct.pack(">II", s, 2)), None],
    "goaway_all": lambda s: [frame(GOAWAY, 0, 0, struct.pack(">II", 0, 11)), None],
    "garbage": lambda s: [b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok" * 10],
    "close": lambda s: [None],
}
# Attacks that a request has to be under way for: once all of it is sent, windows for it mean nothing.
UPLOAD = ("shut_window", "window_zero", "window_overflow", "window_overflow_in_body")


def serve(sock):
    sock.sendall(settings(*([(4, 0)] if ATTACKS == ["shut_window"] else [])))
    decoder, buffer, waiting = hpack.Decoder(), b"", []
    while True:
        data = sock.recv(65536)
        if not data: return
        buffer += data
        if buffer.startswith(PREFACE[:1]): buffer = buffer[len(PREFACE):]
        while len(buffer) >= 9 and len(buffer) >= 9 + int.from_bytes(buffer[:3], "big"):
            length, kind, flags, stream = int.from_bytes(buffer[:3], "big"), buffer[3], buffer[4], int.from_bytes(buffer[5:9], "big")
            payload, buffer = buffer[9:9 + length], buffer[9 + length:]
            if kind == SETTINGS and not flags & ACK: sock.sendall(frame(SETTINGS, ACK, 0))
            if kind != HEADERS: continue
            path = dict(decoder.decode(payload))[":path"].strip("/")
            if path == "wait": waiting.append(stream)
            elif path == "go":
                for one in waiting + [stream]: sock.sendall(answer(one, *OK))
                waiting = []
            elif path in STREAM: sock.sendall(STREAM[path](stream))
            elif path in CONNECTION:
                for piece in CONNECTION[path](stream):
                    if piece is None: return
                    sock.sendall(piece)


def play(attack, port):
    raw = Raw(PROXY, ROOT, port)
    outcomes, codes = {}, {}

    def wait(stream, within=15):
        """What becomes of a stream, while others' frames are noted too."""
        raw.sock.settimeout(seconds(within))
        try:
            while stream not in outcomes:
                kind, flags, number, payload = raw.read()
                if kind == HEADERS:
                    status = dict(raw.decoder.decode(payload)).get(":status")
                    if status: codes[number] = status
                if kind in (HEADERS, DATA) and flags & END_STREAM: outcomes[number] = codes.get(number, "none")
                if kind == RST: outcomes[number] = (codes[number] + " " if number in codes else "") + "reset %d" % int.from_bytes(payload, "big")
                if kind == GOAWAY and raw.goaway: return "goaway %d" % raw.goaway
        except Closed: return "closed"
        except socket.timeout: return "no end"
        return outcomes[stream]

    raw.request(1, raw.fields("/wait"))
    if attack in UPLOAD:
        raw.request(3, raw.fields("/" + attack, method="POST"), flags=END_HEADERS)
        try:
            # No more than the window that we have; the rest of the upload never comes.
            for _ in range(16): raw.send(frame(DATA, 0, 3, bytes(16_000)))
        except Closed: pass
    else:
        raw.request(3, raw.fields("/" + attack))
    attacked = wait(3)
    raw.request(5, raw.fields("/go"))
    seen = {"attack": attack, "isOfStream": attack in STREAM or attack == "shut_window", "attacked": attacked, "after": wait(5), "neighbour": wait(1, 5)}
    raw.sock.close()
    return seen


port = listen(CERT, KEY, serve)
json.dump([play(attack, port) for attack in ATTACKS or [*STREAM, *CONNECTION]], sys.stdout)
