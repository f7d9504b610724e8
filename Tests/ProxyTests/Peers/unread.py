"""A client of HTTP/2 that never opens the window of a stream, beside one that stays open and is silent, written with Python's h2.

usage: unread.py PROXY_PORT PROXY_ROOT ORIGIN_PORT; prints a JSON object: the code that the stream was reset with, and the answer on a third one.
"""
import json, sys
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.settings import SettingCodes
from h2 import events as ev
from tunnel import tunnel

PROXY, ROOT, ORIGIN = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
sock = tunnel(PROXY, ROOT, ORIGIN)
c = H2Connection(H2Configuration(header_encoding="utf-8"))
c.initiate_connection()
c.update_settings({SettingCodes.INITIAL_WINDOW_SIZE: 10})


def request(stream, path):
    c.send_headers(stream, [(":method", "GET"), (":scheme", "https"), (":authority", "localhost:%d" % ORIGIN), (":path", path)], end_stream=True)
    sock.sendall(c.data_to_send())


request(1, "/events")
request(3, "/large")
code = status = None
while status is None:
    data = sock.recv(65_536)
    assert data, "the connection ended"
    for event in c.receive_data(data):
        if isinstance(event, ev.StreamReset):
            assert event.stream_id == 3
            code = int(event.error_code)
            request(5, "/small")
        if isinstance(event, ev.ResponseReceived) and event.stream_id == 5: status = dict(event.headers)[":status"]
    sock.sendall(c.data_to_send())
print(json.dumps({"code": code, "status": status}))
