"""A client of HTTP/2 with one stream that is silent, beside a large one that it stops reading twice, written with Python's h2.

usage: silent.py PROXY_PORT PROXY_ROOT ORIGIN_PORT GATE_PORT. Each time it stops it sends a byte to the gate, and goes on when one comes back. It prints
a JSON object: the code that the silent stream was reset with, if it was, and the bytes of the large one.
"""
import json, socket, sys
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.settings import SettingCodes
from h2 import events as ev
from patience import seconds
from tunnel import tunnel

PROXY, ROOT, ORIGIN, GATE = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
# Where it stops: what is left each time is more than the sockets hold.
STOPS = [1, 12 << 20]
gate = socket.create_connection(("127.0.0.1", GATE), timeout=seconds(30))
sock = tunnel(PROXY, ROOT, ORIGIN)
c = H2Connection(H2Configuration(header_encoding="utf-8"))
c.initiate_connection()
# The windows stay open: what waits does so in the sockets.
c.update_settings({SettingCodes.INITIAL_WINDOW_SIZE: 1 << 26})
c.increment_flow_control_window(1 << 26)


def request(stream, path):
    c.send_headers(stream, [(":method", "GET"), (":scheme", "https"), (":authority", "localhost:%d" % ORIGIN), (":path", path)], end_stream=True)
    sock.sendall(c.data_to_send())


request(1, "/events")
code, size, ended = None, 0, False
while not ended:
    data = sock.recv(65_536)
    assert data, "the connection ended"
    for event in c.receive_data(data):
        if isinstance(event, ev.StreamReset) and event.stream_id == 1: code = int(event.error_code)
        if isinstance(event, ev.DataReceived):
            if event.stream_id == 1: request(3, "/large")
            else: size += len(event.data)
        if isinstance(event, ev.StreamEnded): ended = event.stream_id == 3
    sock.sendall(c.data_to_send())
    if STOPS and size >= STOPS[0]:
        STOPS.pop(0)
        gate.sendall(b"x")
        assert gate.recv(1), "the gate closed"
print(json.dumps({"code": code, "size": size}))
