"""A connection through the proxy to an origin of this machine, that speaks TLS and has agreed on HTTP/2."""
import socket, ssl
from patience import seconds


def tunnel(proxy, root, origin):
    plain = socket.create_connection(("127.0.0.1", proxy), timeout=seconds(30))
    plain.sendall(b"CONNECT localhost:%d HTTP/1.1\r\nHost: localhost\r\n\r\n" % origin)
    assert plain.recv(1000).startswith(b"HTTP/1.1 200")
    context = ssl.create_default_context(cafile=root)
    context.set_alpn_protocols(["h2"])
    sock = context.wrap_socket(plain, server_hostname="localhost")
    assert sock.selected_alpn_protocol() == "h2"
    return sock
