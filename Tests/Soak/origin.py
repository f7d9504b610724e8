"""The server behind the proxy in the soak: HTTP/1.1 and HTTP/2, plain and over TLS, with WebSockets and event streams.

    origin.py PLAIN TLS CERTIFICATE KEY    the first two are descriptors of listening sockets
"""

import asyncio
import sys

from hypercorn.asyncio import serve
from hypercorn.config import Config

PIECE = bytes(range(256)) * 64


def body_of(size):
    """A body of so many bytes in pieces."""
    while size > 0:
        yield PIECE[:size]
        size -= len(PIECE)


async def respond(scope, receive, send):
    """Answers by the path: /gGENERATION/KIND/NUMBER/SIZE."""
    _, _, kind, _, size = scope["path"].split("/")
    size, taken, more = int(size), 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        taken += len(message.get("body", b""))
        more = message.get("more_body", False)

    async def begin(*fields):
        await send({"type": "http.response.start", "status": 200, "headers": list(fields)})

    if kind == "upload":
        await begin((b"content-type", b"text/plain"))
        await send({"type": "http.response.body", "body": b"%d" % taken})
    elif kind == "events":
        await begin((b"content-type", b"text/event-stream"))
        for number in range(size):
            await send({"type": "http.response.body", "body": b"id: %d\ndata: an event\n\n" % number, "more_body": True})
            await asyncio.sleep(0.05)
        await send({"type": "http.response.body"})
    elif kind == "cut":
        await begin((b"content-type", b"text/plain"), (b"content-length", b"%d" % (size + 1)))
        await send({"type": "http.response.body", "body": b"x" * size, "more_body": True})
        raise ConnectionAbortedError("the body ends within")
    else:
        await begin((b"content-type", b"application/octet-stream"), (b"content-length", b"%d" % size))
        for piece in body_of(size):
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body"})


async def echo(receive, send):
    """Gives every message of a WebSocket back."""
    await receive()
    await send({"type": "websocket.accept"})
    while (message := await receive())["type"] == "websocket.receive":
        await send({"type": "websocket.send", "text": message.get("text"), "bytes": message.get("bytes")})


async def application(scope, receive, send):
    if scope["type"] == "http":
        await respond(scope, receive, send)
    elif scope["type"] == "websocket":
        await echo(receive, send)


def main():
    plain, tls, certificate, key = sys.argv[1:]
    config = Config()
    config.insecure_bind, config.bind = [f"fd://{plain}"], [f"fd://{tls}"]
    config.certfile, config.keyfile = certificate, key
    config.accesslog = config.errorlog = None
    # The connections end when the proxy ends them: what it keeps is to be seen.
    config.keep_alive_timeout, config.keep_alive_max_requests = 86_400, 1 << 40
    asyncio.run(serve(application, config))


main()
