import Support

/// What a Python script begins with that is an upstream and its client in one: hypercorn serves while the rest of the script talks to it.
enum HypercornScript {
    /// Defines `serve(app, talk, **settings)`, which serves an ASGI application on a free port until `talk(port, stop)` has ended, or sets `stop`.
    ///
    /// It fails at once, with the server's own reason, where the server ends before that.
    /// The socket listens before hypercorn begins, so nobody has to ask whether it does yet: who comes early waits in the system's queue.
    static let beginning = """
        import asyncio, hypercorn.asyncio, hypercorn.config

        async def serve(app, talk, **settings):
            async def served(scope, receive, send):
                if scope["type"] != "lifespan": return await app(scope, receive, send)
                while True:
                    event = await receive()
                    await send({"type": event["type"] + ".complete"})
                    if event["type"] == "lifespan.shutdown": return
            config = hypercorn.config.Config()
            config.bind, config.loglevel, config.websocket_max_message_size = ["127.0.0.1:0"], "WARNING", 1 << 22
            config.graceful_timeout = config.shutdown_timeout = 0.5; config.keep_alive_timeout = 60
            for name, value in settings.items(): setattr(config, name, value)
            sockets = config.create_sockets()
            config.create_sockets = lambda: sockets
            listener, = sockets.secure_sockets + sockets.insecure_sockets
            listener.listen()
            stop = asyncio.Event()
            serving = asyncio.create_task(hypercorn.asyncio.serve(served, config, shutdown_trigger=stop.wait))
            talking = asyncio.create_task(asyncio.wait_for(talk(listener.getsockname()[1], stop), \(Patience.seconds(40))))
            try:
                await asyncio.wait([talking, serving], return_when=asyncio.FIRST_COMPLETED)
                if serving.done() and not stop.is_set():
                    serving.result()
                    raise RuntimeError("hypercorn has ended by itself")
                await talking
            finally: stop.set()
            await asyncio.wait([serving], timeout=3)


        """
}
