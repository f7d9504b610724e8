"""The clients of the soak: each kind does one exchange after the other and tells the ledger how it ended."""

import asyncio
import random
import socket
import ssl
import struct
from collections import Counter
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

FAULTS = (OSError, httpx.HTTPError, WebSocketException, asyncio.TimeoutError, EOFError, ValueError)
# How an exchange may stand in the record that its client left: all of the response may have been on its way by then.
LEFT = ("cancelled", "completed")


@dataclass
class Generation:
    """Exchanges that are looked for together, and cleared together."""

    number: int
    # By its number, what the record has to say of each: the outcomes it may have, and the length of a response that came whole.
    ended: dict = field(default_factory=dict)
    open: int = 0


class Ledger:
    """What the clients saw."""

    def __init__(self):
        self.generation = Generation(1)
        self.kinds, self.faults = Counter(), Counter()
        self.count = 0

    def next(self):
        """Begins another generation and returns the one before, which gets only the ends of what is open in it."""
        old, self.generation = self.generation, Generation(self.generation.number + 1)
        return old

    @asynccontextmanager
    async def exchange(self, kind, size=0):
        """One exchange: its path, and the function to call when it ended for the client."""
        generation = self.generation
        self.count += 1
        number = self.count
        generation.open += 1

        def end(*outcomes, length=None):
            generation.ended[number] = (outcomes or ("completed",), length)
            self.kinds[kind] += 1

        try:
            yield f"/g{generation.number}/{kind}/{number}/{size}", end
        except FAULTS as problem:
            self.faults[f"{kind}: {type(problem).__name__}: {problem}"] += 1
        finally:
            generation.open -= 1


class Clients:
    """Clients of every kind, for as long as `is_open` stays true."""

    def __init__(self, proxy, plain, tls, nobody, root, patience):
        self.proxy, self.tls, self.root, self.patience = proxy, tls, root, patience
        self.plain, self.nobody = f"127.0.0.1:{plain}", f"127.0.0.1:{nobody}"
        self.ledger = Ledger()
        self.is_open = True
        self.hosts = 0

    async def run(self, load):
        """Runs all kinds beside each other; the load is how many times each is there."""
        kinds = [
            (self.get, 0.02), (self.new_host, 0.2), (self.streams, 0.3), (self.upload, 0.2), (self.socket, 0.5), (self.events, 0.5),
            (self.reset, 0.2), (self.stall, 1), (self.cut, 0.5), (self.refused, 1),
        ]
        await asyncio.gather(*(self.repeat(kind, pause) for kind, pause in kinds for _ in range(load)))

    async def repeat(self, kind, pause):
        while self.is_open:
            await kind(pause)

    def client(self, http2=False):
        """A client with a pool of its own; what it is given to trust must not be another's, whose protocols it would offer."""
        return httpx.AsyncClient(
            proxy=f"http://127.0.0.1:{self.proxy}",
            verify=ssl.create_default_context(cafile=self.root),
            http2=http2,
            timeout=self.patience,
            trust_env=False,
        )

    def host(self):
        """A host that the proxy has never seen, with its port."""
        self.hosts += 1
        return f"h{self.hosts}.soak.test:{self.tls}"

    async def fetch(self, client, origin, kind, size):
        """One response to its end."""
        async with self.ledger.exchange(kind, size) as (path, end):
            response = await client.get(origin + path)
            expect(response.status_code == 200 and len(response.content) == size, f"{response.status_code}, {len(response.content)} of {size}")
            end(length=size)

    async def leave(self, client, origin, kind, size):
        """One response that is left after its first bytes."""
        async with self.ledger.exchange(kind, size) as (path, end):
            async with client.stream("GET", origin + path) as response:
                async with aclosing(response.aiter_raw()) as pieces:
                    await anext(pieces, None)
            end(*LEFT)

    async def get(self, pause):
        """Plain HTTP/1.1 on kept connections."""
        async with self.client() as client:
            for _ in range(50):
                await self.fetch(client, f"http://{self.plain}", "get", random.choice([0, 10, 1_000, 20_000, 100_000]))
                await asyncio.sleep(pause)
                if not self.is_open:
                    break

    async def new_host(self, pause):
        """HTTP/1.1 over TLS with a host that has no certificate of ours yet."""
        async with self.client() as client:
            await self.fetch(client, f"https://{self.host()}", "tls", 5_000)
        await asyncio.sleep(pause)

    async def streams(self, pause):
        """Several streams of one HTTP/2 connection, one of them reset by the client."""
        async with self.client(http2=True) as client:
            origin = f"https://{self.host()}"
            await self.fetch(client, origin, "h2", 100)
            for _ in range(4):
                await asyncio.gather(
                    *(self.fetch(client, origin, "h2", random.choice([0, 1_000, 50_000])) for _ in range(8)),
                    self.leave(client, origin, "h2-reset", 2_000_000),
                )
                await asyncio.sleep(pause)
                if not self.is_open:
                    break

    async def upload(self, pause):
        """An upload, with its length or in chunks, by HTTP/1.1 or HTTP/2."""
        origin, http2 = random.choice([(f"http://{self.plain}", False), (f"https://{self.host()}", True)])
        size = random.choice([1, 10_000, 1_000_000])

        async def pieces():
            for place in range(0, size, 50_000):
                yield bytes(min(50_000, size - place))

        async with self.client(http2) as client, self.ledger.exchange("upload") as (path, end):
            response = await client.post(origin + path, content=random.choice([bytes(size), pieces()]))
            expect(response.text == str(size), f"{response.status_code}, the origin has {response.text[:20]} of {size}")
            end(length=len(response.content))
        await asyncio.sleep(pause)

    async def socket(self, pause):
        """A WebSocket over TLS."""
        async with self.ledger.exchange("websocket") as (path, end):
            context = ssl.create_default_context(cafile=self.root)
            limits = {"open_timeout": self.patience, "close_timeout": self.patience, "ping_interval": None}
            async with connect(f"wss://{self.host()}{path}", proxy=f"http://127.0.0.1:{self.proxy}", ssl=context, **limits) as socket:
                for number in range(20):
                    sent = bytes(random.choice([0, 100, 20_000])) if number % 2 else f"message {number} " * number
                    await socket.send(sent)
                    expect(await asyncio.wait_for(socket.recv(), self.patience) == sent, "an echo is another message")
            end()
        await asyncio.sleep(pause)

    async def events(self, pause):
        """An event stream to its end, and one that is left."""
        async with self.client() as client:
            async with self.ledger.exchange("events", 20) as (path, end):
                response = await client.get(f"http://{self.plain}{path}")
                expect(response.text.count("data: an event") == 20, "events are missing")
                end(length=len(response.content))
            await self.leave(client, f"http://{self.plain}", "events", 20)
        await asyncio.sleep(pause)

    async def asked(self, path):
        """A plain connection with a small window, when the head of the response came."""
        loop, plain = asyncio.get_running_loop(), socket.socket()
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        plain.setblocking(False)
        await loop.sock_connect(plain, ("127.0.0.1", self.proxy))
        reader, writer = await asyncio.open_connection(sock=plain, limit=4_096)
        writer.write(f"GET http://{self.plain}{path} HTTP/1.1\r\nHost: {self.plain}\r\nConnection: close\r\n\r\n".encode())
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), self.patience)
        expect(head.startswith(b"HTTP/1.1 200"), f"the answer is {head[:40]}")
        return reader, writer, plain

    async def reset(self, pause):
        """A client that resets its connection within the response."""
        async with self.ledger.exchange("reset", 1_000_000) as (path, end):
            _, writer, plain = await self.asked(path)
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()
            end(*LEFT)
        await asyncio.sleep(pause)

    async def stall(self, pause):
        """A client that takes nothing for a while, and then all of it or no more."""
        size, goes_on = 8_000_000, random.random() < 0.5
        async with self.ledger.exchange("stall", size) as (path, end):
            reader, writer, plain = await self.asked(path)
            try:
                for _ in range(50):
                    if self.is_open:
                        await asyncio.sleep(0.1)
                plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1_000_000)
                while goes_on and size > 0:
                    piece = await asyncio.wait_for(reader.read(65_536), self.patience)
                    expect(piece, f"the response ended {size} bytes early")
                    size -= len(piece)
                if goes_on:
                    end(length=8_000_000)
                else:
                    end(*LEFT)
            finally:
                writer.transport.abort()
        await asyncio.sleep(pause)

    async def cut(self, pause):
        """A response that its server cuts."""
        async with self.client() as client, self.ledger.exchange("cut", 5_000) as (path, end):
            try:
                await client.get(f"http://{self.plain}{path}")
            except (httpx.RemoteProtocolError, httpx.ReadError):
                end("failed")
            else:
                expect(False, "a cut response came as a whole one")
        await asyncio.sleep(pause)

    async def refused(self, pause):
        """A server that is not there."""
        async with self.client() as client, self.ledger.exchange("refused") as (path, end):
            response = await client.get(f"http://{self.nobody}{path}")
            expect(response.status_code == 502, f"answered {response.status_code}")
            end("failed")
        await asyncio.sleep(pause)


def expect(holds, problem):
    """Makes a fault of the exchange of what a client must not see."""
    if not holds:
        raise ValueError(problem)
