"""Streams of HTTP/2 that wait for windows: what waits keeps its order, and a client's reset keeps its code; Python's h2 is at both ends.

usage: stalls.py PROXY_PORT PROXY_ROOT CERT KEY; prints a JSON object: uploads as the upstream had them, and the codes that it was reset with.
"""
import hashlib, json, random, socket, ssl, sys, threading
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2 import events as ev
from origin import listen
from patience import seconds
from tunnel import connected

PROXY, ROOT, CERT, KEY, LIMIT = int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4], seconds(20)
SOURCE = random.Random(5)
SIZES = [65_535, 65_536, 131_070, 81_920, 300_000, 1_048_576] + [SOURCE.randrange(60_000, 400_000) for _ in range(10)]
CODES = (0xB, 0xC, 0xD)
resets, quiet, changed = {}, {}, threading.Condition()


def content(size):
    return random.Random(size).randbytes(size)


def serve(sock):
    """Opens windows late and piece by piece; answers an upload with what it was, and floods whoever asks for that."""
    c = H2Connection(H2Configuration(client_side=False, header_encoding="utf-8"))
    c.initiate_connection()
    sock.sendall(c.data_to_send())
    uploads, owed, source = {}, {}, random.Random(3)
    sock.settimeout(0.004)
    while True:
        try:
            data = sock.recv(65_536)
            if not data: return
        except (TimeoutError, ssl.SSLWantReadError):
            data = None
        for event in c.receive_data(data) if data else []:
            stream = getattr(event, "stream_id", None)
            if isinstance(event, ev.RequestReceived):
                path = dict(event.headers)[":path"]
                uploads[stream] = [path, hashlib.sha256(), 0]
                if path.startswith("/flood"):
                    c.send_headers(stream, [(":status", "200")])
            elif isinstance(event, ev.DataReceived):
                uploads[stream][1].update(event.data)
                uploads[stream][2] += len(event.data)
                owed[stream] = owed.get(stream, 0) + event.flow_controlled_length
            elif isinstance(event, ev.TrailersReceived):
                _, digest, size = uploads[stream]
                is_whole = dict(event.headers).get("digest") == digest.hexdigest()
                c.send_headers(stream, [(":status", "200"), ("seen", "%s %d" % ("whole" if is_whole else "cut", size))], end_stream=True)
                if stream in owed: c.increment_flow_control_window(owed.pop(stream))
            elif isinstance(event, ev.StreamReset):
                with changed:
                    resets[uploads[stream][0]] = event.error_code
                    changed.notify_all()
                del uploads[stream]
                if stream in owed: c.increment_flow_control_window(owed.pop(stream))
        if data is None:
            # Nothing more comes: now a part of what is owed.
            for stream, count in list(owed.items()):
                part = min(count, source.choice((1_000, 16_384, 40_000)))
                c.increment_flow_control_window(part)
                c.increment_flow_control_window(part, stream)
                owed[stream] = count - part
                if not owed[stream]: del owed[stream]
            for stream, (path, _, _) in uploads.items():
                if path.startswith("/flood"):
                    # Whether it has been without a window for a while: the proxy holds what it has room for.
                    with changed:
                        quiet[path] = 0 if c.local_flow_control_window(stream) > 0 else quiet.get(path, 0) + 1
                        changed.notify_all()
                while path.startswith("/flood") and c.local_flow_control_window(stream) > 0:
                    c.send_data(stream, bytes(min(c.local_flow_control_window(stream), 16_384)))
        out = c.data_to_send()
        if out:
            sock.settimeout(LIMIT)
            sock.sendall(out)
            sock.settimeout(0.004)


class Client:
    def __init__(self, port):
        plain = connected(PROXY, port, LIMIT)
        context = ssl.create_default_context(cafile=ROOT)
        context.set_alpn_protocols(["h2"])
        self.port, self.sock = port, context.wrap_socket(plain, server_hostname="localhost")
        assert self.sock.selected_alpn_protocol() == "h2"
        self.c = H2Connection(H2Configuration(client_side=True, header_encoding="utf-8"))
        self.c.initiate_connection()
        self.send()

    def send(self):
        data = self.c.data_to_send()
        if data: self.sock.sendall(data)

    def head(self, stream, path):
        self.c.send_headers(stream, [(":method", "POST"), (":scheme", "https"), (":authority", "localhost:%d" % self.port), (":path", path)])

    def events(self):
        data = self.sock.recv(65_536)
        if not data: raise EOFError("the proxy closed the connection")
        found = self.c.receive_data(data)
        self.send()
        return found


def upload(port, size):
    """Sends content as fast as the proxy takes it, with the trailers right behind."""
    client, body, seen = Client(port), content(size), None
    client.head(1, "/upload")
    trailers = [("digest", hashlib.sha256(body).hexdigest())]
    while body:
        room = min(client.c.local_flow_control_window(1), client.c.max_outbound_frame_size, len(body))
        if room > 0:
            client.c.send_data(1, body[:room])
            body = body[room:]
            continue
        client.send()
        client.events()
    client.c.send_headers(1, trailers, end_stream=True)
    client.send()
    while seen is None:
        for event in client.events():
            if isinstance(event, ev.ResponseReceived): seen = dict(event.headers).get("seen", dict(event.headers)[":status"])
            elif isinstance(event, ev.StreamReset): seen = "reset %d" % event.error_code
    client.sock.close()
    return seen


def reset(port, code):
    """Stalls on a response that does not end, with its request unfinished, and resets the stream."""
    client, path, count = Client(port), "/flood/%d" % code, 0
    client.head(1, path)
    client.send()
    while count < 65_535:
        count += sum(len(event.data) for event in client.events() if isinstance(event, ev.DataReceived))
    with changed: assert changed.wait_for(lambda: quiet.get(path, 0) >= 25, LIMIT), "the proxy took in all of it"
    client.c.reset_stream(1, code)
    client.send()
    with changed:
        assert changed.wait_for(lambda: path in resets, LIMIT), "the upstream heard of no reset"
        return resets[path]


port = listen(CERT, KEY, serve)
json.dump({
    "uploads": {str(size): upload(port, size) for size in SIZES},
    "codes": [reset(port, code) for code in CODES],
}, sys.stdout)
