"""Sends requests one after another on one HTTP/2 connection through the proxy, and prints what became of each stream."""
import json, socket, sys, time
from patience import seconds
from rawhttp2 import DATA, END_STREAM, HEADERS, RST, WINDOW, Closed, Raw, frame


def outcome(raw, stream):
    """What came of a stream: its status and length as told, its body as ISO 8859-1, and how it ended."""
    seen = {"status": None, "length": None, "body": "", "end": "none"}
    try:
        while True:
            kind, flags, number, payload = raw.read()
            if kind == HEADERS:
                # Every block counts for the table.
                fields = dict(raw.decoder.decode(payload))
            if number != stream:
                continue
            if kind == HEADERS:
                seen["status"], seen["length"] = fields.get(":status"), fields.get("content-length")
            elif kind == DATA:
                seen["body"] += payload.decode("latin1")
            elif kind == RST:
                seen["end"] = "reset %d" % int.from_bytes(payload, "big")
                return seen
            if kind in (HEADERS, DATA) and flags & END_STREAM:
                seen["end"] = "end"
                return seen
    except (Closed, socket.timeout) as error:
        seen["end"] = "closed %s" % error
        return seen


proxy, root, port = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
raw = Raw(proxy, root, port)
raw.sock.settimeout(seconds(15))
raw.send(frame(WINDOW, 0, 0, (1 << 20).to_bytes(4, "big")))
found = []
for number, path in enumerate(sys.argv[4:]):
    stream, start = 2 * number + 1, time.time()
    raw.request(stream, raw.fields(path))
    found.append({**outcome(raw, stream), "seconds": time.time() - start})
print(json.dumps(found))
