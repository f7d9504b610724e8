"""HTTP/2 requests that are wrong, or nearly, each on a connection of its own through the proxy to an upstream.

usage: abuse.py PROXY_PORT PROXY_ROOT ORIGIN_PORT [CERT KEY]; prints a JSON object: of each request whether it is right and what became of it,
and with a certificate, when the upstream is Python's h2 in place of ORIGIN_PORT, what that received whole and what it objected to.
"""
import json, sys
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2 import events as ev
from h2.exceptions import ProtocolError
from origin import listen
from rawhttp2 import *

received, objections = [], []


def judge(sock):
    """Reads strictly, answers what is whole, and notes what breaks the rules."""
    c = H2Connection(H2Configuration(client_side=False, header_encoding="latin-1"))
    c.initiate_connection()
    sock.sendall(c.data_to_send())
    requests = {}
    while True:
        data = sock.recv(65536)
        if not data: return
        try:
            events = c.receive_data(data)
        except ProtocolError as error:
            objections.append(repr(error))
            return
        for event in events:
            if isinstance(event, ev.RequestReceived): requests[event.stream_id] = [dict(event.headers), 0]
            if isinstance(event, ev.DataReceived): requests[event.stream_id][1] += len(event.data)
            if isinstance(event, ev.StreamEnded):
                fields, size = requests[event.stream_id]
                received.append("%s %s %d" % (fields[":method"], fields[":path"], size))
                c.send_headers(event.stream_id, [(":status", "200")], end_stream=True)
        sock.sendall(c.data_to_send())


PROXY, ROOT, ORIGIN = int(sys.argv[1]), sys.argv[2], listen(*sys.argv[4:], judge) if sys.argv[4:] else int(sys.argv[3])
HOST = "localhost:%d" % ORIGIN
BASE = [(":method", "POST"), (":scheme", "https"), (":authority", HOST), (":path", "/x")]
SMUGGLED = b"GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n"
CASES = []  # name, right, fields, data frames, trailers


def case(name, fields, data=None, trailers=None, right=False): CASES.append((name, right, fields, data, trailers))


def without(name): return [f for f in BASE if f[0] != name]


def put(name, value): return [(n, value if n == name else v) for n, v in BASE]


case("plain", BASE, right=True)
case("get", put(":method", "GET"), right=True)
case("body", BASE, [b"hello", b"world"], right=True)
case("body with length", BASE + [("content-length", "5")], [b"he", b"llo"], right=True)
case("empty body with length", BASE + [("content-length", "0")], [b""], right=True)
case("trailers", BASE, [b"hello"], [("x-sum", "1")], right=True)
case("te trailers", BASE + [("te", "trailers")], [b"hello"], [("x-sum", "1")], right=True)
case("crumbs", BASE + [("cookie", "a=1"), ("cookie", "b=2")], right=True)
case("same host", BASE + [("host", HOST)], right=True)
case("host alone", without(":authority") + [("host", HOST)], right=True)
case("a request in a body", BASE, [SMUGGLED], right=True)
case("a request in a body with length", BASE + [("content-length", str(len(SMUGGLED)))], [SMUGGLED], right=True)
case("chunks in a body", BASE, [b"0\r\n\r\n" + SMUGGLED], right=True)
case("get with body", put(":method", "GET"), [SMUGGLED], right=True)
case("odd method", put(":method", "M-SEARCH"), right=True)
case("two slashes", put(":path", "//other.test/x"), right=True)
case("a URL in the query", put(":path", "/?http://other.test/"), right=True)
case("obs-text", BASE + [("x", "caf\u00e9")], right=True)
case("proxy fields", BASE + [("proxy-authorization", "Basic eDp5")], right=True)
case("expect", BASE + [("expect", "100-continue"), ("content-length", "5")], [b"hello"], right=True)

for name in (":method", ":scheme", ":path"): case("no " + name, without(name))
case("no authority and no host", without(":authority"))
for name, value in BASE: case("twice " + name, BASE + [(name, value)])
for name, value in BASE: case("double " + name, [(name, value)] + BASE)
for name, value in BASE: case("late " + name, without(name) + [("x", "y"), (name, value)])
for name in (":foo", ":status", ":", ":Method", "::path", ":path "): case("unknown pseudo " + name, BASE + [(name, "200")])
for value in ("", " ", "GET ", " GET", "G ET", "GET\r\n", "GET / HTTP/1.1\r\nX: y", "GET\0", "G(T", "GET\t", "G\u00e9T"):
    case("method %r" % value, put(":method", value))
for value in ("", "x", "*", "http://other.test/", "?x", " /", "/ ", "/a b", "/\r\n", "/ HTTP/1.1\r\nHost: other\r\n\r\nGET /", "/\0", "/\t", "/\n",
              "/\r", "/\x0b", "/\x7f"):
    case("path %r" % value, put(":path", value))
for value in ("", "javascript", "https\r\n", "https://other/?", "https ", " https", "ht\0tps", "ftp"):
    case("scheme %r" % value, put(":scheme", value))
for value in ("", " ", HOST + "\r\nX: y", HOST + "\0", HOST + " ", "u@" + HOST, "u:p@" + HOST, HOST + "/x", HOST + "?x", HOST + "#x", "a b", "a\tb",
              HOST + "\\x", "a:b", "a:0", "a:99999", "[::1", HOST + "," + HOST, "a\n"):
    case("authority %r" % value, put(":authority", value))
for name in ("X", "Content-Length", "tRansfer-encoding", "", " ", "x ", " x", "x y", "x:y", "x\r\ny", "x\0", "x\n", "x\r", "x\t", "x\x7f", "\u00e9", "x\"y", "(x)",
             "x/y", "x@", "host:", "x: y\r\ntransfer-encoding"):
    case("name %r" % name, BASE + [(name, "1")])
for value in ("a\rb", "a\nb", "a\r\nb", "a\0b", "\r\n", "\0", "x\r\ntransfer-encoding: chunked", "x\r\n\r\n" + SMUGGLED.decode(), "a\x0bb", "a\x7fb", "\x1b[2J"):
    case("value %r" % value, BASE + [("x", value)])
# RFC 9113 §8.2.1 calls these malformed and h2 would close the connection over them; in HTTP/1 they can mean only one thing, which is sent on.
for value in (" a", "a ", "\ta", "a\t", " "): case("white space %r" % value, BASE + [("x", value)], right=True)
for name, value in (("connection", "close"), ("connection", "x"), ("keep-alive", "1"), ("proxy-connection", "x"), ("transfer-encoding", "chunked"),
                    ("transfer-encoding", "identity"), ("transfer-encoding", ""), ("upgrade", "h2c"), ("upgrade", "websocket"), ("te", "gzip"),
                    ("te", "trailers, chunked"), ("te", ""), ("transfer_encoding", "chunked"), ("content_length", "5")):
    case("%s %r" % (name, value), BASE + [(name, value)], [b"0\r\n\r\n" + SMUGGLED])
for value in ("", "+5", "-5", "5,5", "5, 5", "0x5", "5 5", "5.0", "five", "\u0665", "99999999999999999999", "5;", " 5", "5 "):
    case("length %r" % value, BASE + [("content-length", value)], [b"hello"])
case("two lengths", BASE + [("content-length", "5"), ("content-length", "5")], [b"hello"])
case("two other lengths", BASE + [("content-length", "5"), ("content-length", "6")], [b"hello"])
case("length and coding", BASE + [("content-length", "5"), ("transfer-encoding", "chunked")], [b"hello"])
case("too long", BASE + [("content-length", "3")], [b"hello"])
case("too long by a request", BASE + [("content-length", "0")], [SMUGGLED])
case("too short", BASE + [("content-length", "6")], [b"hello"])
case("too short and no data", BASE + [("content-length", "5")])
case("other host", BASE + [("host", "other.test")])
case("two hosts", BASE + [("host", HOST), ("host", HOST)])
case("two hosts alone", without(":authority") + [("host", HOST), ("host", "other.test")])
case("host with a line", without(":authority") + [("host", HOST + "\r\nX: y")])
case("host that is none", without(":authority") + [("host", "a/b")])
case("connect with path", put(":method", "CONNECT"))
case("protocol without connect", BASE + [(":protocol", "websocket")])
case("unknown expect", BASE + [("expect", "x")], [b"hello"])
for name, value in ((":path", "/y"), (":status", "200"), ("content-length", "5"), ("host", "x"), ("X", "y"), ("x", "a\r\nb"), ("x\r\ny", "z"), ("transfer-encoding", "chunked"),
                    ("connection", "x"), ("", "x")):
    case("trailer %r %r" % (name, value), BASE, [b"hello"], [(name, value)])
case("a second head", BASE, [b"hello"], "head")
case("too many fields", BASE + [("x%d" % i, "y") for i in range(1_000)])
case("a long field", BASE + [("x", "y" * 14_000)] * 20)

seen = []
for name, right, fields, data, trailers in CASES:
    raw = Raw(PROXY, ROOT, ORIGIN)
    try:
        raw_block = raw.encoder.encode([hpack.NeverIndexedHeaderTuple(n.encode("latin-1", "replace") if max(map(ord, n), default=0) < 256 else n.encode(),
                                                                      v.encode("latin-1") if max(map(ord, v), default=0) < 256 else v.encode())
                                        for n, v in fields], huffman=False)
        pieces = [raw_block[i:i + 16_000] for i in range(0, len(raw_block), 16_000)]
        flags = 0 if data is not None or trailers else END_STREAM
        out = b"".join(frame(HEADERS if i == 0 else CONTINUATION, (flags if i == 0 else 0) | (END_HEADERS if i + 1 == len(pieces) else 0), 1, piece)
                       for i, piece in enumerate(pieces))
        for i, piece in enumerate(data or []):
            out += frame(DATA, END_STREAM if i + 1 == len(data) and not trailers else 0, 1, piece)
        if trailers == "head": out += frame(HEADERS, END_HEADERS, 1, raw.block(raw.fields()))
        elif trailers: out += frame(HEADERS, END_STREAM | END_HEADERS, 1, raw.block(trailers))
        raw.send(out)
        result = raw.outcome(1)
    except Closed:
        result = "closed"
    seen.append({"name": name, "isRight": right, "outcome": result})
    raw.sock.close()
json.dump({"seen": seen, "received": received, "objections": objections}, sys.stdout)
