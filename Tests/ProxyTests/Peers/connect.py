"""CONNECT requests within HTTP/2, by a client that knows that the proxy speaks it.

usage: connect.py PROXY_PORT TARGET_PORT; prints a JSON object: the code that each CONNECT was answered with, and the one of a GET on the same
connection after the stream was reset, and its window opened.
"""
import json, socket, sys
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2 import events as ev
from patience import seconds

PROXY, TARGET = int(sys.argv[1]), "localhost:%s" % sys.argv[2]
sock = socket.create_connection(("127.0.0.1", PROXY), timeout=seconds(20))
http = H2Connection(H2Configuration(header_encoding="latin-1", validate_outbound_headers=False))
http.initiate_connection()


def send(): sock.sendall(http.data_to_send())


def code(stream):
    while True:
        data = sock.recv(65536)
        assert data, "the connection was closed"
        codes = []
        for event in http.receive_data(data):
            if isinstance(event, ev.ResponseReceived) and event.stream_id == stream: codes.append(dict(event.headers)[":status"])
            if isinstance(event, ev.StreamReset) and event.stream_id == stream: codes.append("reset %d" % event.error_code)
        send()
        if codes: return codes[0]


answers = []
for ends in (True, False):
    stream = http.get_next_available_stream_id()
    http.send_headers(stream, [(":method", "CONNECT"), (":authority", TARGET)], end_stream=ends)
    send()
    answers.append(code(stream))
    # What a stream may still get, whatever became of it.
    sock.sendall(b"\0\0\4\x08\0" + stream.to_bytes(4, "big") + b"\0\0\1\0" + b"\0\0\4\x03\0" + stream.to_bytes(4, "big") + b"\0\0\0\x08")
stream = http.get_next_available_stream_id()
http.send_headers(stream, [(":method", "GET"), (":scheme", "http"), (":authority", TARGET), (":path", "/")], end_stream=True)
send()
print(json.dumps({"connects": answers, "after": code(stream)}))
