"""An HTTP/2 origin that goes away in the midst of streams or refuses one, and a client of many streams: no request may be lost.

Every other request has content, all of which the origin takes before it answers or gives the stream up.

usage: goaway.py PROXY_PORT PROXY_ROOT SERVER_CERT SERVER_KEY; prints a JSON object of what the client got, on which connections, and what the
origin got of content.
"""
import json, socket, ssl, sys, threading, time
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.errors import ErrorCodes
from h2 import events as ev
from hyperframe.frame import GoAwayFrame
from patience import seconds
from tunnel import tunnel

PROXY, ROOT, CERT, KEY = int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4]
served = {}  # path: the connections it was served on
contents = {}  # path: the content of each request for it
answered = {}  # path: the stream it was answered on
changed = threading.Condition()  # holds what stands above, and tells that more was served
counts = {"connections": 0, "refused": 0}


def serve(sock, number):
    c = H2Connection(H2Configuration(client_side=False, header_encoding="utf-8"))
    c.initiate_connection()
    sock.sendall(c.data_to_send())
    waiting, is_going = [], False
    paths, content = {}, {}
    while True:
        data = sock.recv(65536)
        if not data: return
        for event in c.receive_data(data):
            if isinstance(event, ev.RequestReceived): paths[event.stream_id] = dict(event.headers)[":path"]
            if isinstance(event, ev.DataReceived): content[event.stream_id] = content.get(event.stream_id, "") + event.data.decode()
            if isinstance(event, ev.StreamEnded):
                path = paths[event.stream_id]
                with changed: contents.setdefault(path, []).append(content.get(event.stream_id, ""))
                if path == "/refused" and counts["refused"] == 0:
                    counts["refused"] += 1
                    c.reset_stream(event.stream_id, ErrorCodes.REFUSED_STREAM)
                    continue
                if is_going: continue  # beyond the last stream: never answered
                waiting.append((event.stream_id, path))
                if number == 1 and path.startswith("/many") and len(waiting) == 10:
                    # The later five are given up, and the others are still answered: once those are served elsewhere.
                    is_going = True
                    waiting.sort()
                    last = waiting[4][0]
                    sock.sendall(c.data_to_send())
                    sock.sendall(GoAwayFrame(0, last_stream_id=last, error_code=0).serialize())
                    waiting = waiting[:5]
                    with changed: changed.wait_for(lambda: sum(1 not in served.get(f"/many{n}", [1]) for n in range(10)) == 5, seconds(10))
        # None of the many is answered there before all have come.
        is_early = number == 1 and not is_going and waiting and waiting[0][1].startswith("/many")
        for stream, path in [] if is_early else waiting:
            with changed:
                served.setdefault(path, []).append(number)
                answered[path] = stream
                changed.notify_all()
            c.send_headers(stream, [(":status", "200")])
            c.send_data(stream, path.encode(), end_stream=True)
        if not is_early: waiting = []
        sock.sendall(c.data_to_send())


def listen():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERT, KEY)
    context.set_alpn_protocols(["h2"])
    listener = socket.create_server(("127.0.0.1", 0), backlog=64)

    def accept():
        while True:
            raw, _ = listener.accept()
            try: sock = context.wrap_socket(raw, server_side=True)
            except (OSError, ssl.SSLError): continue
            counts["connections"] += 1
            def run(sock=sock, number=counts["connections"]):
                try: serve(sock, number)
                except OSError: pass
            threading.Thread(target=run, daemon=True).start()
    threading.Thread(target=accept, daemon=True).start()
    return listener.getsockname()[1]


def main():
    port = listen()
    sock = tunnel(PROXY, ROOT, port)
    c = H2Connection(H2Configuration(header_encoding="utf-8"))
    c.initiate_connection()
    paths = [f"/many{n}" for n in range(10)] + ["/refused"]
    streams, got, resets = {}, {}, {}

    def ask(wanted):
        for path in wanted:
            stream = c.get_next_available_stream_id()
            streams[stream] = path
            has_content = path[-1] in "13579d"
            method = "POST" if has_content else "GET"
            c.send_headers(stream, [(":method", method), (":scheme", "https"), (":authority", f"localhost:{port}"), (":path", path)], end_stream=not has_content)
            if has_content: c.send_data(stream, f"content of {path}".encode(), end_stream=True)
        sock.sendall(c.data_to_send())

    ask(paths[:10])
    deadline = time.time() + seconds(15)
    is_asked = False
    while len(got) + len(resets) < len(paths) and time.time() < deadline:
        data = sock.recv(65536)
        if not data: break
        for event in c.receive_data(data):
            if isinstance(event, ev.DataReceived): got[streams[event.stream_id]] = event.data.decode()
            elif isinstance(event, ev.StreamReset): resets[streams[event.stream_id]] = int(event.error_code)
        sock.sendall(c.data_to_send())
        if len(got) + len(resets) == 10 and not is_asked:
            is_asked = True
            ask(paths[10:])
    json.dump({"got": got, "resets": resets, "served": served, "contents": contents, "answered": answered, "connections": counts["connections"]}, sys.stdout)


main()
