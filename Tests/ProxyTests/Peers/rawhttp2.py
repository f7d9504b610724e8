"""An HTTP/2 client that sends whatever frames it is told to, inside a tunnel through the proxy: no rule is kept for it."""
import socket, ssl, struct, time
import hpack
from patience import seconds
from tunnel import connected

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, PRIORITY, RST, SETTINGS, PUSH, PING, GOAWAY, WINDOW, CONTINUATION = range(10)
END_STREAM, ACK, END_HEADERS, PADDED = 1, 1, 4, 8


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def settings(*pairs):
    return frame(SETTINGS, 0, 0, b"".join(struct.pack(">HI", key, value) for key, value in pairs))


class Closed(Exception):
    """The proxy has closed the connection."""


class Raw:
    def __init__(self, proxy, root, port, *pairs, preface=PREFACE):
        self.port, self.buffer, self.goaway = port, b"", None
        self.encoder, self.decoder = hpack.Encoder(), hpack.Decoder()
        self.decoder.max_header_list_size = 1 << 20
        plain = connected(proxy, port, seconds(20))
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        context = ssl.create_default_context(cafile=root)
        context.set_alpn_protocols(["h2"])
        self.sock = context.wrap_socket(plain, server_hostname="localhost")
        assert self.sock.selected_alpn_protocol() == "h2", "HTTP/2 was not agreed on"
        self.send(preface + settings(*pairs))

    def send(self, data):
        try:
            self.sock.sendall(data)
        except OSError as error:
            raise Closed(str(error))

    def fields(self, path="/x", method="GET", more=()):
        return [(":method", method), (":scheme", "https"), (":authority", "localhost:%d" % self.port), (":path", path), *more]

    def block(self, fields, huffman=False):
        return self.encoder.encode([hpack.NeverIndexedHeaderTuple(n, v) for n, v in fields], huffman=huffman)

    def head(self, stream, fields=None, flags=END_STREAM | END_HEADERS):
        return frame(HEADERS, flags, stream, self.block(fields or self.fields()))

    def request(self, stream, fields=None, flags=END_STREAM | END_HEADERS):
        self.send(self.head(stream, fields, flags))

    def read(self):
        """The next frame as (kind, flags, stream, payload)."""
        while len(self.buffer) < 9 or len(self.buffer) < 9 + int.from_bytes(self.buffer[:3], "big"):
            try:
                data = self.sock.recv(65536)
            except socket.timeout:
                raise
            except OSError as error:
                raise Closed(str(error))
            if not data:
                raise Closed("end")
            self.buffer += data
        length = int.from_bytes(self.buffer[:3], "big")
        kind, flags, stream = self.buffer[3], self.buffer[4], int.from_bytes(self.buffer[5:9], "big")
        payload, self.buffer = self.buffer[9:9 + length], self.buffer[9 + length:]
        if kind == GOAWAY:
            self.goaway = int.from_bytes(payload[4:8], "big")
        if kind == SETTINGS and not flags & ACK:
            self.send(frame(SETTINGS, ACK, 0))
        return kind, flags, stream, payload

    def outcome(self, stream, within=10):
        """What becomes of a stream: "200", "reset 1", "goaway 1" or "closed"."""
        self.sock.settimeout(seconds(within))
        code = None
        try:
            while True:
                kind, flags, number, payload = self.read()
                if kind == HEADERS:
                    # Every block counts for the table.
                    fields = dict(self.decoder.decode(payload))
                    if number != stream: continue
                    code = fields.get(":status", code)
                    if flags & END_STREAM: return code
                elif kind == DATA and number == stream and flags & END_STREAM: return code
                elif kind == RST and number == stream: return (code + " " if code else "") + "reset %d" % int.from_bytes(payload, "big")
                elif kind == GOAWAY and self.goaway: return "goaway %d" % self.goaway
        except Closed:
            return "closed"
        except socket.timeout:
            return (code or "nothing") + " and no end"

    def wait_end(self, within=20):
        """Reads until the proxy closes the connection; whether it did."""
        end = time.time() + seconds(within)
        try:
            while time.time() < end:
                self.sock.settimeout(max(0.05, end - time.time()))
                self.read()
        except Closed:
            return True
        except socket.timeout:
            pass
        return False
