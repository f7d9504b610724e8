"""Large heads and trailers both ways over HTTP/2, among the content of another stream; Python's h2 judges at both ends.

usage: heads.py PROXY_PORT PROXY_ROOT CERT KEY; prints a JSON object: what became of each request, and what either end objected to.
"""
import hashlib, json, random, socket, ssl, sys
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.settings import SettingCodes
from h2 import events as ev
from h2.exceptions import ProtocolError
from origin import listen
from patience import seconds
from tunnel import connected

PROXY, ROOT, CERT, KEY = int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4]
SIZES = (1_000, 15_900, 20_000, 60_000, 200_000)
CONTENT = random.Random(7).randbytes(2_000_000)
H2Connection.DEFAULT_MAX_HEADER_LIST_SIZE = 1 << 20
objections = []


class Limited(H2Connection):
    """Says that it takes 64 KiB of fields, and ends the connection over more."""
    DEFAULT_MAX_HEADER_LIST_SIZE = 1 << 16


def lines(size, seed):
    """Field lines of so many bytes of values, each different, in the characters that code longest and shortest."""
    source = random.Random(seed)
    left, out = size, []
    while left > 0:
        length = min(left, source.choice((300, 4_000, 17_000)))
        alphabet = source.choice(("0123456789ae", "~!{}|<>^`\\", "abcdefghijklmnopqrstuvwxyz /=%;"))
        out.append(("x-%d" % len(out), "".join(source.choices(alphabet, k=length)).strip() or "y"))
        left -= length
    return out


def digest(fields):
    return hashlib.sha256(repr([tuple(f) for f in fields if f[0].startswith("x-")]).encode()).hexdigest()


class End:
    """One end of a connection: h2, what waits for windows, and a socket."""

    def __init__(self, sock, is_client, frame_size=None, kind=H2Connection):
        self.sock, self.waiting = sock, {}
        self.c = kind(H2Configuration(client_side=is_client, header_encoding="utf-8"))
        if frame_size: self.c.local_settings[SettingCodes.MAX_FRAME_SIZE] = frame_size
        self.c.initiate_connection()
        if frame_size:
            # It holds for what we are sent at once.
            self.c.local_settings.acknowledge()
            self.c.max_inbound_frame_size = frame_size
        self.c.increment_flow_control_window(1 << 24)

    def put(self, stream, data, ends, trailers=None):
        self.waiting.setdefault(stream, []).append((data, ends, trailers))

    def push(self):
        for stream, parts in list(self.waiting.items()):
            while parts:
                data, ends, trailers = parts.pop(0)
                while data:
                    room = min(self.c.local_flow_control_window(stream), self.c.max_outbound_frame_size, 9_000)
                    if room <= 0: break
                    self.c.send_data(stream, data[:room], end_stream=ends and not trailers and len(data) <= room)
                    data = data[room:]
                if data:
                    parts.insert(0, (data, ends, trailers))
                    break
                if trailers: self.c.send_headers(stream, trailers, end_stream=True)
        self.send()

    def send(self):
        data = self.c.data_to_send()
        if data: self.sock.sendall(data)

    def events(self):
        data = self.sock.recv(65536)
        if not data: raise EOFError
        try:
            found = self.c.receive_data(data)
        except ProtocolError as error:
            objections.append(repr(error))
            raise EOFError
        for event in found:
            if isinstance(event, ev.DataReceived):
                self.c.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
        return found


def serve(sock, frame_size, kind):
    end = End(sock, False, frame_size, kind)
    end.send()
    requests = {}
    while True:
        for event in end.events():
            stream = getattr(event, "stream_id", None)
            if isinstance(event, ev.RequestReceived):
                requests[stream] = [event.headers, []]
                if dict(event.headers)[":path"] == "/echo": end.c.send_headers(stream, [(":status", "200")])
            elif isinstance(event, ev.DataReceived):
                if dict(requests[stream][0])[":path"] == "/echo": end.put(stream, event.data, False)
            elif isinstance(event, ev.TrailersReceived): requests[stream][1] = event.headers
            elif isinstance(event, ev.StreamEnded):
                head, trailers = requests.pop(stream)
                path = dict(head)[":path"]
                if path == "/echo":
                    # h2 ends a stream with an empty frame where the last was not known to be it.
                    end.push()
                    end.put(stream, b".", True)
                    continue
                size = int(path.split("/")[-1])
                end.c.send_headers(stream, [(":status", "200"), ("digest", digest(head)), ("trailer-digest", digest(trailers)), *lines(size, size + 1)])
                end.put(stream, b"ok", True, lines(size // 2, size + 2))
        end.push()


def origin(frame_size=None, kind=H2Connection):
    return listen(CERT, KEY, lambda sock: serve(sock, frame_size, kind))


def tunnel(port, protocols):
    plain = connected(PROXY, port, seconds(30))
    context = ssl.create_default_context(cafile=ROOT)
    context.set_alpn_protocols(protocols)
    return context.wrap_socket(plain, server_hostname="localhost")


def play(port, frame_size=None, bare=()):
    """What becomes of every size; requests of the sizes in `bare` have no trailers."""
    end = End(tunnel(port, ["h2"]), True, frame_size)
    assert end.sock.selected_alpn_protocol() == "h2"

    def head(path): return [(":method", "POST"), (":scheme", "https"), (":authority", "localhost:%d" % port), (":path", path)]
    seen, sizes, codes = {}, {}, {}
    # The first request goes out before the proxy's settings came.
    end.c.send_headers(1, head("/echo"))
    end.put(1, CONTENT, True)
    for number, size in enumerate(SIZES):
        stream = 3 + 2 * number
        sizes[stream] = size
        end.c.send_headers(stream, head("/head/%d" % size) + lines(size, size))
        end.put(stream, b"content", True, None if size in bare else lines(size // 2, size + 3))
    echoed, over = b"", set()
    while len(over) < 1 + len(SIZES):
        end.push()
        for event in end.events():
            stream = getattr(event, "stream_id", None)
            if isinstance(event, ev.ResponseReceived):
                fields = dict(event.headers)
                codes[stream] = fields[":status"]
                if stream == 1: continue
                size = sizes[stream]
                seen["head %d" % size] = fields[":status"] if fields[":status"] != "200" else "whole" if (
                    fields["digest"] == digest(lines(size, size)) and fields["trailer-digest"] == digest(lines(size // 2, size + 3))
                    and digest(event.headers) == digest(lines(size, size + 1))) else "changed"
            elif isinstance(event, ev.DataReceived) and stream == 1: echoed += event.data
            elif isinstance(event, ev.TrailersReceived):
                size = sizes[stream]
                seen["trailers %d" % size] = "whole" if digest(event.headers) == digest(lines(size // 2, size + 2)) else "changed"
            elif isinstance(event, ev.StreamReset):
                seen["stream %d" % stream] = "reset %d" % event.error_code
                over.add(stream)
            elif isinstance(event, ev.StreamEnded): over.add(stream)
        if objections: break
    seen["echo"] = "whole" if echoed.rstrip(b".") == CONTENT.rstrip(b".") else "%d of %d bytes" % (len(echoed), len(CONTENT))
    return seen


def play_http1(port, size):
    """A client of HTTP/1.1 whose large head goes to an upstream of HTTP/2 alone."""
    sock = tunnel(port, ["http/1.1"])
    fields = lines(size, size)
    text = "POST /head/%d HTTP/1.1\r\nHost: localhost:%d\r\nContent-Length: 7\r\n" % (size, port)
    sock.sendall((text + "".join("%s: %s\r\n" % f for f in fields) + "\r\ncontent").encode())
    answer = b""
    while b"\r\n\r\n" not in answer:
        data = sock.recv(65536)
        if not data: return "closed"
        answer += data
    status, *rest = answer.split(b"\r\n\r\n")[0].decode().split("\r\n")
    got = [tuple(line.split(": ", 1)) for line in rest]
    is_whole = dict(got).get("digest") == digest(fields) and digest(got) == digest(lines(size, size + 1))
    return "whole" if is_whole else status


small, large, limited = origin(), origin(40_000), origin(kind=Limited)
json.dump({
    "usual": play(small),
    "largerFrames": play(large, 100_000),
    "limited": play(limited, bare=(200_000,)),
    "http1": {str(size): play_http1(small, size) for size in SIZES},
    "objections": objections,
}, sys.stdout)
