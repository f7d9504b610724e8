import Foundation
import Support

/// A server that other people wrote, or our FacilityAPI, as a process of its own on a free port of this machine.
struct RealUpstream: Sendable {
    /// Which server.
    enum Kind: String, Sendable, CaseIterable {
        /// HTTP/2 in C, over TLS and, by prior knowledge, without.
        case nginx
        /// HTTP/2 in Python; sends every request's content back.
        case hypercorn
        /// HTTP/1.1, ours.
        case facilityAPI

        /// The version that it speaks where it may choose.
        var version: String { self == .facilityAPI ? "HTTP/1.1" : "HTTP/2" }
        /// What is asked of it.
        var target: String { self == .facilityAPI ? "/whatsopen/v2/locations/?format=json" : "/large" }
    }

    let kind: Kind
    let process: RunningProcess
    /// The port with TLS.
    let port: Int
    /// The port without, of nginx alone.
    let plainPort: Int?
    /// A file of the root that its certificate chains to.
    let rootFile: String

    /// What nginx and hypercorn answer to `/large`.
    static let large = [UInt8]((0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) })

    /// Starts it and waits until it listens; its files are in a directory that has to last as long.
    static func start(_ kind: Kind, _ authority: TestAuthority, in directory: TemporaryDirectory) async throws
        -> RealUpstream
    {
        if kind == .facilityAPI {
            let root = directory.file("facility-api.pem")
            let process = try RunningProcess(
                try Executable.inspect(),
                ["facility-api", "--tls", "--certificate", root]
            )
            let port = try await process.line(containing: "listens at").firstMatch(of: /localhost:(\d+)/)
            return RealUpstream(
                kind: kind,
                process: process,
                port: port.flatMap { Int($0.output.1) } ?? 0,
                plainPort: nil,
                rootFile: root
            )
        }
        let tls = try await authority.issue(for: ["localhost"])
        try Data(large).write(to: URL(filePath: directory.file("large")))
        let process = try RunningProcess(
            try RealClientsTests.python(),
            ["-c", kind == .nginx ? nginx : hypercorn, directory.path, tls.certificateFile, tls.keyFile]
        )
        let ports = try await process.line(containing: "ports").split(separator: " ").compactMap { Int($0) }
        guard let port = ports.first else { throw Unexpected("\(kind) named no port") }
        return RealUpstream(
            kind: kind,
            process: process,
            port: port,
            plainPort: ports.dropFirst().first,
            rootFile: authority.rootFile
        )
    }

    /// Gives nginx the sockets that it is to listen on, as a new nginx gets them from the one before, so that no port need be guessed.
    private static let nginx = """
        import os, shutil, socket, sys
        directory, certificate, key = sys.argv[1:]
        secure, plain = (socket.create_server(("127.0.0.1", 0), backlog=512) for _ in range(2))
        ports = [listener.getsockname()[1] for listener in (secure, plain)]
        # As root its workers would otherwise be somebody who cannot read here.
        user = "user root;" if os.geteuid() == 0 else ""
        places = " ".join(f"{name}_temp_path {directory}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        with open(directory + "/nginx.conf", "w") as file:
            file.write(f'''
        daemon off; {user} worker_processes 1; pid {directory}/nginx.pid; error_log stderr error;
        events {{ worker_connections 400; }}
        http {{
            access_log off; {places} keepalive_requests 150; client_max_body_size 0;
            server {{
                listen 127.0.0.1:{ports[0]} ssl http2;
                listen 127.0.0.1:{ports[1]} http2;
                ssl_certificate {certificate}; ssl_certificate_key {key};
                root {directory}; default_type application/octet-stream;
            }}
        }}
        ''')
        for listener in (secure, plain): listener.set_inheritable(True)
        os.environ["NGINX"] = "".join(f"{listener.fileno()};" for listener in (secure, plain))
        program = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")
        assert program, "there is no nginx; the README's test command installs it"
        print("ports", *ports, flush=True)
        os.execv(program, [program, "-p", directory, "-e", "stderr", "-c", directory + "/nginx.conf"])
        """

    private static let hypercorn = """
        import asyncio, os, sys
        import hypercorn.asyncio, hypercorn.config
        directory, certificate, key = sys.argv[1:]
        with open(directory + "/large", "rb") as file: large = file.read()

        async def app(scope, receive, send):
            if scope["type"] == "lifespan":
                while True:
                    event = await receive()
                    await send({"type": event["type"] + ".complete"})
                    if event["type"] == "lifespan.shutdown": return
            body, more = b"", True
            while more:
                event = await receive()
                body, more = body + event.get("body", b""), event.get("more_body", False)
            if scope["path"] == "/slow":
                await send({"type": "http.response.start", "status": 200, "headers": []})
                for _ in range(10): await send({"type": "http.response.body", "body": large, "more_body": True})
                # Whoever asks decides when it ends, by a file.
                while not os.path.exists(directory + "/go"): await asyncio.sleep(0.01)
                return await send({"type": "http.response.body", "body": b"end"})
            version = scope["http_version"].encode()
            await send({"type": "http.response.start", "status": 200, "headers": [(b"x-version", version)]})
            await send({"type": "http.response.body", "body": large if scope["path"] == "/large" else body})

        async def main():
            config = hypercorn.config.Config()
            config.bind, config.certfile, config.keyfile = ["127.0.0.1:0"], certificate, key
            config.alpn_protocols, config.loglevel, config.h2_max_header_list_size = ["h2", "http/1.1"], "WARNING", 1 << 20
            config.h11_max_incomplete_size = 1 << 20
            sockets = config.create_sockets()
            config.create_sockets = lambda: sockets
            print("ports", sockets.secure_sockets[0].getsockname()[1], flush=True)
            await hypercorn.asyncio.serve(app, config)

        asyncio.run(main())
        """
}
