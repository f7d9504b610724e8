"""A connection through the proxy to an origin of this machine, that speaks TLS and has agreed on HTTP/2."""
import socket, ssl
from patience import seconds


def connected(proxy, origin, limit):
    """A connection behind the answer to its CONNECT, of which the head was read and nothing more, in however many pieces it came."""
    plain = socket.create_connection(("127.0.0.1", proxy), timeout=limit)
    plain.sendall(b"CONNECT localhost:%d HTTP/1.1\r\nHost: localhost\r\n\r\n" % origin)
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        byte = plain.recv(1)
        assert byte, "the proxy closed the connection behind %r" % head
        head += byte
    assert head.startswith(b"HTTP/1.1 200"), head
    return plain


def tunnel(proxy, root, origin):
    plain = connected(proxy, origin, seconds(30))
    context = ssl.create_default_context(cafile=root)
    context.set_alpn_protocols(["h2"])
    sock = context.wrap_socket(plain, server_hostname="localhost")
    assert sock.selected_alpn_protocol() == "h2"
    return sock
