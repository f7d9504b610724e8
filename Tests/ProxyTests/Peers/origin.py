"""An origin of HTTP/2 over TLS on a port of its own, a thread for each connection."""
import socket, ssl, threading


def listen(certificate, key, serve):
    """Calls `serve` with every connection, until it returns or the connection ends; returns the port."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    context.set_alpn_protocols(["h2"])
    listener = socket.create_server(("127.0.0.1", 0), backlog=64)

    def run(raw):
        try:
            sock = context.wrap_socket(raw, server_side=True)
            serve(sock)
            sock.close()
        except (OSError, EOFError): pass

    def accept():
        while True: threading.Thread(target=run, args=(listener.accept()[0],), daemon=True).start()
    threading.Thread(target=accept, daemon=True).start()
    return listener.getsockname()[1]
