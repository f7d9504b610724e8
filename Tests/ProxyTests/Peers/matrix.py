"""The two ends of the protocol matrix: origins of HTTP/1.1 and HTTP/2 over TLS, and raw clients of both, that say what they saw.

usage: matrix.py PROXY_PORT PROXY_ROOT SERVER_CERT SERVER_KEY; prints a JSON list, one object for each client, upstream and case.
"""
import collections, hashlib, json, socket, ssl, struct, sys, threading
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.errors import ErrorCodes
from h2 import events as ev
from patience import seconds
from tunnel import connected

PROXY, ROOT, CERT, KEY = int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4]
LARGE = bytes(range(256)) * 12_000  # 3 MB
CASES = ["get", "post-length", "post-streamed", "head", "no-content", "not-modified", "trailers", "interim", "large",
         "client-reset", "upstream-reset", "upstream-reset-early", "early"]
seen = {}  # what the origin saw, by the x-case field
seen_change = threading.Condition()
# Whether the client of the case under way has the beginning of its content.
begun = threading.Event()


def note(case, **what):
    with seen_change:
        seen.setdefault(case, {}).update(what)
        seen_change.notify_all()


def await_seen(case, what):
    with seen_change: seen_change.wait_for(lambda: what in seen.get(case, {}), seconds(5))


def sha(data):
    return hashlib.sha256(data).hexdigest()


# What an origin answers: interim codes, then (code, fields, content, trailers); None: it resets or waits.
def answer(case, content):
    if case == "get": return [], 200, [("content-length", "5"), ("x-origin", "a, b")], b"hello", None
    if case in ("post-length", "post-streamed"): return [], 200, [], sha(content).encode(), None
    if case == "head": return [], 200, [("content-length", "5")], b"", None
    if case == "no-content": return [], 204, [], b"", None
    if case == "not-modified": return [], 304, [("etag", '"e"')], b"", None
    if case == "trailers": return [], 200, [], b"content", [("x-checksum", "abc"), ("grpc-status", "0")]
    if case == "interim": return [(100, []), (102, []), (103, [("link", "</a.css>; rel=preload")])], 200, [], b"final", None
    if case == "large": return [], 200, [], LARGE[::-1], None
    if case == "early": return [], 413, [], b"too much", None


class H2:
    """An HTTP/2 connection, blocking, for either end."""

    def __init__(self, sock, is_client):
        self.sock, self.queue, self.is_open = sock, collections.deque(), True
        self.c = H2Connection(H2Configuration(client_side=is_client, header_encoding="utf-8"))
        self.c.initiate_connection()
        self.send()

    def send(self):
        data = self.c.data_to_send()
        if data:
            try: self.sock.sendall(data)
            except OSError: self.is_open = False

    def pump(self):
        try: data = self.sock.recv(65536)
        except OSError: data = b""
        if not data:
            self.is_open = False
            return
        for event in self.c.receive_data(data):
            if isinstance(event, ev.DataReceived):
                self.c.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            self.queue.append(event)
        self.send()

    def content(self, stream, data, ends):
        while data or ends:
            room = min(self.c.local_flow_control_window(stream), self.c.max_outbound_frame_size, len(data))
            if data and room == 0:
                self.pump()
                if not self.is_open or stream not in self.c.streams: return
                continue
            piece, data = data[:room], data[room:]
            self.c.send_data(stream, piece, end_stream=ends and not data)
            self.send()
            if not data: return


def serve_http2(sock):
    h = H2(sock, False)
    requests, names = {}, {}
    while h.is_open:
        h.pump()
        while h.queue:
            event = h.queue.popleft()
            if isinstance(event, ev.RequestReceived):
                fields = dict(event.headers)
                case = fields.get("x-case", "?")
                requests[event.stream_id] = [case, b""]
                names[event.stream_id] = case
                note(case, method=fields[":method"], path=fields[":path"], authority=fields.get(":authority"),
                     te=fields.get("te"), cookie=[v for n, v in event.headers if n == "cookie"])
                begin_http2(h, event.stream_id, case.split("/")[0])
            elif isinstance(event, ev.DataReceived) and event.stream_id in requests:
                requests[event.stream_id][1] += event.data
            elif isinstance(event, ev.TrailersReceived):
                note(requests[event.stream_id][0], trailers=[list(t) for t in event.headers])
            elif isinstance(event, ev.StreamReset) and event.stream_id in names:
                note(names[event.stream_id], reset=int(event.error_code))
            elif isinstance(event, ev.StreamEnded) and event.stream_id in requests:
                case, content = requests.pop(event.stream_id)
                note(case, length=len(content), sha=sha(content))
                end_http2(h, event.stream_id, case.split("/")[0], content)


def begin_http2(h, stream, case):
    if case in ("client-reset", "upstream-reset"):
        h.c.send_headers(stream, [(":status", "200")])
        h.c.send_data(stream, b"begun")
        h.send()
        if case == "upstream-reset":
            begun.wait(seconds(20))
            h.c.reset_stream(stream, ErrorCodes.ENHANCE_YOUR_CALM)
    elif case == "upstream-reset-early":
        h.c.reset_stream(stream, ErrorCodes.ENHANCE_YOUR_CALM)
    elif case == "early":
        end_http2(h, stream, case, b"")
    h.send()


def end_http2(h, stream, case, content):
    reply = answer(case, content)
    if reply is None or stream not in h.c.streams or h.c.streams[stream].closed: return
    interim, code, fields, body, trailers = reply
    for early, extra in interim:
        h.c.send_headers(stream, [(":status", str(early))] + extra)
        h.send()
    is_bare = not body and not trailers
    h.c.send_headers(stream, [(":status", str(code))] + fields, end_stream=is_bare)
    h.send()
    if not is_bare: h.content(stream, body, not trailers)
    if trailers: h.c.send_headers(stream, trailers, end_stream=True)
    h.send()


class Bytes:
    """The bytes of an HTTP/1 connection, read as asked."""

    def __init__(self, sock):
        self.sock, self.data = sock, b""

    def more(self):
        try: new = self.sock.recv(65536)
        except OSError as problem:
            raise EOFError(str(problem))
        if not new: raise EOFError("closed")
        self.data += new

    def until(self, end):
        while end not in self.data: self.more()
        head, self.data = self.data.split(end, 1)
        return head

    def count(self, length):
        while len(self.data) < length: self.more()
        out, self.data = self.data[:length], self.data[length:]
        return out

    def head(self):
        lines = self.until(b"\r\n\r\n").decode().split("\r\n")
        fields = [tuple(part.strip() for part in line.split(":", 1)) for line in lines[1:]]
        return lines[0], [(name.lower(), value) for name, value in fields]

    def content(self, fields, ends_at_close=False):
        """The content and the trailers."""
        named = dict(fields)
        if named.get("transfer-encoding") == "chunked":
            content = b""
            while True:
                size = int(self.until(b"\r\n").split(b";")[0], 16)
                if size == 0: break
                content += self.count(size)
                self.until(b"\r\n")
            trailers = []
            while line := self.until(b"\r\n"):
                trailers.append([part.strip() for part in line.decode().split(":", 1)])
            return content, trailers
        if "content-length" in named: return self.count(int(named["content-length"])), []
        if ends_at_close:
            try:
                while True: self.more()
            except EOFError:
                return self.data, []
        return b"", []


def cut(sock):
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    socket.socket.close(sock)


def serve_http1(sock):
    bytes_ = Bytes(sock)
    try:
        while True:
            line, fields = bytes_.head()
            named = dict(fields)
            case = named.get("x-case", "?")
            kind = case.split("/")[0]
            note(case, method=line.split()[0], path=line.split()[1], authority=named.get("host"), te=named.get("te"),
                 cookie=[v for n, v in fields if n == "cookie"])
            if kind in ("client-reset", "upstream-reset"):
                sock.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nbegun\r\n")
                if kind == "upstream-reset":
                    begun.wait(seconds(20))
                    return cut(sock)
                try: bytes_.more()
                except EOFError: note(case, reset=-1)
                return
            if kind == "upstream-reset-early": return cut(sock)
            if kind == "early":
                sock.sendall(b"HTTP/1.1 413 Too Large\r\nContent-Length: 8\r\n\r\ntoo much")
                return note(case, length=len(bytes_.content(fields)[0]))
            content, trailers = bytes_.content(fields)
            note(case, length=len(content), sha=sha(content), **({"trailers": trailers} if trailers else {}))
            interim, code, extra, body, after = answer(kind, content)
            out = b"".join(b"HTTP/1.1 %d Early\r\n%s\r\n" % (c, b"".join(b"%s: %s\r\n" % (n.encode(), v.encode()) for n, v in e)) for c, e in interim)
            out += b"HTTP/1.1 %d Made Up\r\n" % code + b"".join(b"%s: %s\r\n" % (n.encode(), v.encode()) for n, v in extra)
            if kind == "head" or code in (204, 304): out += b"\r\n"
            elif after or kind in ("post-streamed", "large"):
                out += b"Transfer-Encoding: chunked\r\n\r\n"
                for start in range(0, len(body), 50_000):
                    piece = body[start:start + 50_000]
                    out += b"%x\r\n%s\r\n" % (len(piece), piece)
                out += b"0\r\n" + b"".join(b"%s: %s\r\n" % (n.encode(), v.encode()) for n, v in after or []) + b"\r\n"
            elif "content-length" in dict(extra): out += b"\r\n" + body
            else: out += b"Content-Length: %d\r\n\r\n" % len(body) + body
            sock.sendall(out)
    except EOFError:
        pass


def origin(protocol):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERT, KEY)
    context.set_alpn_protocols([protocol])
    listener = socket.create_server(("127.0.0.1", 0), backlog=64)

    def accept():
        while True:
            raw, _ = listener.accept()
            def serve(raw=raw):
                try:
                    sock = context.wrap_socket(raw, server_side=True)
                    serve_http2(sock) if sock.selected_alpn_protocol() == "h2" else serve_http1(sock)
                except (OSError, ssl.SSLError):
                    pass
            threading.Thread(target=serve, daemon=True).start()
    threading.Thread(target=accept, daemon=True).start()
    return listener.getsockname()[1]


def connect(port, protocol):
    raw = connected(PROXY, port, seconds(20))
    context = ssl.create_default_context(cafile=ROOT)
    context.set_alpn_protocols([protocol])
    sock = context.wrap_socket(raw, server_hostname="localhost")
    assert sock.selected_alpn_protocol() == protocol, f"agreed on {sock.selected_alpn_protocol()}"
    return sock


# What each client sends: method, content, whether its length is declared, trailers.
def request(case):
    if case in ("post-length", "early"): return "POST", b"x" * 1000, True, None
    if case == "post-streamed": return "POST", b"y" * 100_000, False, None
    if case == "large": return "POST", LARGE, True, None
    if case == "trailers": return "POST", b"asked", False, [("x-sent", "yes")]
    return ("HEAD" if case == "head" else "GET"), b"", False, None


def ask_http2(port, case, name):
    h = H2(connect(port, "h2"), True)
    method, content, has_length, trailers = request(case)
    fields = [(":method", method), (":scheme", "https"), (":authority", f"localhost:{port}"), (":path", f"/{case}?q=a+b"), ("x-case", name),
              ("te", "trailers"), ("cookie", "a=1"), ("cookie", "b=2")]
    if has_length: fields.append(("content-length", str(len(content))))
    h.c.send_headers(1, fields, end_stream=not content and not trailers)
    h.send()
    if case == "early": h.content(1, content[:10], False)
    elif content: h.content(1, content, not trailers)
    if trailers: h.c.send_headers(1, trailers, end_stream=True); h.send()
    view = {"interim": [], "content": b""}
    while h.is_open:
        while h.queue:
            event = h.queue.popleft()
            if isinstance(event, ev.InformationalResponseReceived): view["interim"].append(int(dict(event.headers)[":status"]))
            elif isinstance(event, ev.ResponseReceived):
                view["code"] = int(dict(event.headers)[":status"])
                view["fields"] = [list(f) for f in event.headers if not f[0].startswith(":")]
            elif isinstance(event, ev.DataReceived):
                view["content"] += event.data
                begun.set()
                if case == "client-reset":
                    h.c.reset_stream(1, ErrorCodes.CANCEL)
                    h.send()
                    view["reset"] = 8
                    h.is_open = False
            elif isinstance(event, ev.TrailersReceived): view["trailers"] = [list(t) for t in event.headers]
            elif isinstance(event, ev.StreamReset) and event.stream_id == 1:
                view["reset"] = int(event.error_code)
                h.is_open = False
            elif isinstance(event, ev.StreamEnded):
                view["ended"] = True
                if case == "early":
                    h.content(1, content[10:], True)
                    # A socket that is closed with bytes unread, a window's update perhaps, is reset, and what was sent on it may be lost.
                    await_seen(name, "length")
                h.is_open = False
        if h.is_open: h.pump()
    return view


def ask_http1(port, case, name):
    sock = connect(port, "http/1.1")
    method, content, has_length, trailers = request(case)
    head = f"{method} /{case}?q=a+b HTTP/1.1\r\nHost: localhost:{port}\r\nX-Case: {name}\r\nTE: trailers\r\nConnection: TE\r\nCookie: a=1; b=2\r\n"
    if has_length: out = head + f"Content-Length: {len(content)}\r\n\r\n"
    elif content: out = head + "Transfer-Encoding: chunked\r\n\r\n"
    else: out = head + "\r\n"
    out = out.encode()
    if case == "early": out += content[:10]
    elif has_length: out += content
    elif content:
        for start in range(0, len(content), 9_000):
            piece = content[start:start + 9_000]
            out += b"%x\r\n%s\r\n" % (len(piece), piece)
        out += b"0\r\n" + b"".join(b"%s: %s\r\n" % (n.encode(), v.encode()) for n, v in trailers or []) + b"\r\n"
    sock.sendall(out)
    view, bytes_ = {"interim": [], "content": b""}, Bytes(sock)
    try:
        while True:
            line, fields = bytes_.head()
            code = int(line.split()[1])
            if code >= 200: break
            view["interim"].append(code)
        view.update(code=code, fields=[list(f) for f in fields])
        if case == "client-reset":
            bytes_.until(b"begun")
            view["content"] = b"begun"
            cut(sock)
            return view
        if case == "upstream-reset":
            bytes_.until(b"begun")
            view["content"] = b"begun"
            begun.set()
            while True: bytes_.more()
        if method != "HEAD" and code not in (204, 304):
            view["content"], after = bytes_.content(fields, ends_at_close=True)
            if after: view["trailers"] = after
        view["ended"] = True
        if case == "early":
            sock.sendall(content[10:])
            await_seen(name, "length")
    except EOFError:
        view["reset"] = -1
        view["content"] = view["content"] or bytes_.data
    return view


def main():
    origins = {"h1": origin("http/1.1"), "h2": origin("h2")}
    ask = {"h1": ask_http1, "h2": ask_http2}
    out = []
    for client in ask:
        for upstream, port in origins.items():
            for case in CASES:
                name = f"{case}/{client}/{upstream}"
                begun.clear()
                view = ask[client](port, case, name)
                view.update(length=len(view["content"]), sha=sha(view["content"]), content=view["content"][:100].decode("latin-1"))
                if case == "client-reset": await_seen(name, "reset")
                out.append({"case": case, "client": client, "upstream": upstream, "port": port, "got": view, "seen": seen.get(name, {})})
    json.dump(out, sys.stdout)


main()
