import Foundation
import NIOCore
import Support
import Testing

/// A proxy in the background, as its user meets it: start, status, reload, stop.
@Suite(.serialized, .timeLimit(.minutes(15))) struct DaemonTests {
    private static func origin() async throws -> LoopbackOrigin {
        try await LoopbackOrigin.start(
            script: RawRequest.answering { request in
                // An answer to CONNECT has no body.
                let rest = request.method == "CONNECT" ? "\r\n" : "Content-Length: 2\r\n\r\nok"
                return Array("HTTP/1.1 200 OK\r\n\(rest)".utf8)
            }
        )
    }

    private static func fetch(_ port: Int, _ url: String) async throws -> CommandLineTool.Result {
        try await CommandLineTool.run("curl", ["-sS", "--noproxy", "", "-x", "http://127.0.0.1:\(port)", "-i", url])
    }

    /// What `status --json` prints.
    private struct Status: Decodable {
        struct Listener: Decodable {
            let mode: String
            let address: String
        }
        let running: Bool
        let answering: Bool
        let pid: Int32?
        let listeners: [Listener]
        let exchanges: Int?
        let outcomes: [String: Int]?
        let uptimeSeconds: Int?
        let indexLag: Int?
        let queueBytes: Int?
        let log: String?
    }

    private static func status(_ daemon: RunningDaemon, expecting code: Int32 = 0) async throws -> Status {
        let result = try await daemon.run("status", "--json")
        #expect(result.status == code, "\(result.output)\(result.errors)")
        return try JSONDecoder().decode(Status.self, from: Data(result.outputBytes))
    }

    @Test(
        "start --daemon returns when clients are answered, status tells how it is, stop ends it with all of it recorded"
    )
    func life() async throws {
        let origin = try await Self.origin()
        // Its store has another name, which other commands do not know of.
        let directory = try TemporaryDirectory()
        let link = directory.file("named.db")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "captures.db")
        let daemon = try await RunningDaemon.start(in: directory, ["--store", link])
        #expect(daemon.said.contains("'inspect stop' stops.") && daemon.said.contains("log     "))
        let answer = try await Self.fetch(daemon.port, "http://127.0.0.1:\(origin.port)/one")
        #expect(answer.output.hasSuffix("ok"), "\(answer)")

        let status = try await Self.status(daemon)
        #expect(status.running && status.answering && status.pid == daemon.pid && status.exchanges == 1)
        #expect(
            status.listeners.map(\.mode) == ["explicit"] && status.listeners[0].address.hasSuffix(":\(daemon.port)")
        )
        #expect(status.outcomes == ["completed": 1] && status.queueBytes == 0 && (status.uptimeSeconds ?? -1) >= 0)
        let text = try await daemon.run("status")
        #expect(text.status == 0 && text.output.contains("running, process \(daemon.pid), for "))
        #expect(text.output.contains("/?token=") && text.output.contains("1: 1 completed"))

        let again = try await RunningInspect.run(
            ["start", "--daemon", "--port", "0", "--web-port", "0"] + RunningInspect.places(daemon.directory),
            in: daemon.directory
        )
        #expect(again.status == 2 && again.errors.contains("process \(daemon.pid) already records into"))

        let found = try await daemon.run("start", "--open")
        #expect(found.status == 0 && found.output.contains("A proxy runs already (process \(daemon.pid))"), "\(found)")
        #expect(found.output.contains("There is no display here;"), "\(found.output)")
        #expect(found.output.contains("\none command   inspect run --store ") && found.output.hasSuffix("stops it.\n"))

        let stopped = try await daemon.stop()
        #expect(stopped.status == 0 && stopped.output.hasPrefix("stopped process \(daemon.pid) in "), "\(stopped)")
        let log = try daemon.log()
        #expect(
            log.contains(" info: started ") && log.contains(" notice: stopped; everything that passed is in the store")
        )
        let after = try await Self.status(daemon, expecting: 1)
        #expect(!after.running && after.pid == nil && after.exchanges == 1 && after.log == nil)
        #expect(try await daemon.run("status").output.contains("not running"))
        let none = try await daemon.run("stop")
        #expect(none.status == 0 && none.output.hasPrefix("no proxy records into "))
    }

    @Test("What keeps a daemon from starting is told by the command, with its exit status")
    func refused() async throws {
        let origin = try await Self.origin()
        let directory = try TemporaryDirectory()
        let result = try await RunningInspect.run(
            ["start", "--daemon", "--port", "\(origin.port)", "--web-port", "0"] + RunningInspect.places(directory),
            in: directory
        )
        #expect(result.status == 2 && result.output.isEmpty)
        #expect(result.errors.hasPrefix("inspect: 127.0.0.1:\(origin.port) is in use by another program"))
        #expect(result.errors.filter { $0 == "\n" }.count == 1, "\(result.errors)")
    }

    @Test(
        "SIGHUP reads the configuration anew: what can change changes, what cannot is named, what is wrong changes nothing"
    )
    func reload() async throws {
        let origin = try await Self.origin()
        let directory = try TemporaryDirectory()
        let nobody = try RefusingPort()
        let name = "named.test:\(nobody.port)"
        let path = try directory.write("resolve: \(name):127.0.0.1\n", to: "config.yaml")
        let daemon = try await RunningDaemon.start(in: directory, ["--config", path, "--log-format", "json"])
        func code() async throws -> String {
            String(try await Self.fetch(daemon.port, "http://\(name)/").output.prefix { !$0.isNewline })
        }
        #expect(try await code().hasPrefix("HTTP/1.1 502"))

        _ = try directory.write(
            "resolve: \(name):127.0.0.2\nupstream-proxy: http://127.0.0.1:\(origin.port)\nlisten: 127.0.0.9\n",
            to: "config.yaml"
        )
        kill(daemon.pid, SIGHUP)
        let log = try await daemon.log(with: "next start")
        #expect(log.contains(#""metadata":{"changed":"resolve, upstream-proxy"}"#), "\(log)")
        #expect(log.contains(#""metadata":{"options":"listen"}"#))
        // It goes through the origin as its proxy now, which answers for every server.
        #expect(try await code() == "HTTP/1.1 200 OK")

        _ = try directory.write("resolve: named.test\n", to: "config.yaml")
        kill(daemon.pid, SIGHUP)
        let refused = try await daemon.log(with: "what held before holds on")
        #expect(refused.contains("config.yaml:1:1: --resolve named.test: expected"), "\(refused)")
        #expect(try await code() == "HTTP/1.1 200 OK")
        withExtendedLifetime(nobody) {}
        #expect(try await daemon.stop().status == 0)
        for line in try daemon.log().split(separator: "\n") {
            #expect((try? JSONSerialization.jsonObject(with: Data(line.utf8))) != nil, "\(line)")
        }
    }

    @Test(
        "SIGHUP leaves no open proxy behind: what guards the address that is listened on stays, whatever the file says by then",
        arguments: [
            ("proxy-auth: u:p", ""), ("proxy-auth: u:p", "listen: 127.0.0.1"), ("proxy-auth: u:p", nil),
            ("allow-client: 203.0.113.0/24", ""), ("allow-client: 203.0.113.0/24", nil),
        ] as [(String, String?)]
    )
    func guarded(_ kept: String, then: String?) async throws {
        let origin = try await Self.origin()
        let directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.file("config/inspect"),
            withIntermediateDirectories: true
        )
        let path = try directory.write("listen: 0.0.0.0\n\(kept)\n", to: "config/inspect/config.yaml")
        let daemon = try await RunningDaemon.start(in: directory)
        // Loopback is let in by every list of networks; a machine without another address shows the login alone.
        let outside = try System.enumerateDevices().compactMap(\.address?.ipAddress).first { address in
            !address.contains(":") && !["127.", "169.254."].contains { address.hasPrefix($0) }
        }
        func status() async throws -> String {
            let tool = ["-sS", "-o", "/dev/null", "-w", "%{http_code}", "--noproxy", ""]
            let proxy = ["-x", "http://\(outside ?? "127.0.0.1"):\(daemon.port)", "http://127.0.0.1:\(origin.port)/"]
            return try await CommandLineTool.run("curl", tool + proxy).output
        }
        let refusal = kept.hasPrefix("proxy-auth") ? "407" : outside == nil ? "200" : "403"
        #expect(try await status() == refusal)

        if let then {
            _ = try directory.write(then + "\n", to: "config/inspect/config.yaml")
        } else {
            try FileManager.default.removeItem(atPath: path)
        }
        kill(daemon.pid, SIGHUP)
        let log = try await daemon.log(with: "what held before holds on")
        let open = "whoever reaches 0.0.0.0:\(daemon.port) could"
        let cause = then == nil ? "the configuration file \(path) is gone" : open
        #expect(log.contains(cause), "\(log)")
        #expect(try await status() == refusal)

        // Another login, or network, is no less of a guard.
        _ = try directory.write("listen: 0.0.0.0\nproxy-auth: other:one\n", to: "config/inspect/config.yaml")
        kill(daemon.pid, SIGHUP)
        _ = try await daemon.log(with: "read the configuration and the certificates anew")
        #expect(try await status() == "407")
    }

    @Test("A configuration that is read anew holds where other commands cannot be told of it, which is said for itself")
    func untold() async throws {
        let daemon = try await RunningDaemon.start()
        // What takes the place of the file that tells them cannot take this one's.
        let file = daemon.directory.file("captures.db.instance")
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.createDirectory(atPath: file + "/full", withIntermediateDirectories: true)
        kill(daemon.pid, SIGHUP)
        let log = try await daemon.log(with: "read the configuration and the certificates anew")
        #expect(log.contains("are not told of its login and its rules as they are now: cannot write"), "\(log)")
        #expect(!log.contains("was not read anew"), "\(log)")
    }

    @Test("SIGHUP takes another root and further upstream roots from their files")
    func certificates() async throws {
        let authority = try await TestAuthority()
        let origin = try await RecordingOrigin.start(tls: authority.issue(for: ["localhost"]))
        let directory = try TemporaryDirectory()
        let other = try await TestAuthority()
        let roots = try directory.write(
            String(decoding: try Data(contentsOf: URL(filePath: other.rootFile)), as: UTF8.self),
            to: "roots.pem"
        )
        let daemon = try await RunningDaemon.start(in: directory, ["--upstream-ca", roots])
        func fetch(_ trusted: String) async throws -> CommandLineTool.Result {
            try await CommandLineTool.run(
                "curl",
                [
                    "-sS", "--noproxy", "", "-x", "http://127.0.0.1:\(daemon.port)", "--cacert", trusted, "-o",
                    "/dev/null",
                ]
                    + ["-w", "%{http_code}", "https://localhost:\(origin.port)/length"]
            )
        }
        let root = directory.file("ca/root.pem")
        #expect(try await fetch(root).output == "502")

        let before = try directory.read("ca/root.pem")
        for name in ["root.pem", "root-key.pem"] {
            try FileManager.default.removeItem(atPath: directory.file("ca/\(name)"))
        }
        _ = try directory.write(
            String(decoding: try Data(contentsOf: URL(filePath: authority.rootFile)), as: UTF8.self),
            to: "roots.pem"
        )
        kill(daemon.pid, SIGHUP)
        _ = try await daemon.log(with: "read the configuration and the certificates anew")
        #expect(try directory.read("ca/root.pem") != before, "The root was made anew")
        // The page hands out the new one.
        let token = try #require(daemon.said.firstMatch(of: /token=(\w+)/)?.output.1)
        let served = try await CommandLineTool.run(
            "curl",
            ["-sS", "--noproxy", "*", "http://127.0.0.1:\(daemon.pagePort)/api/v1/ca.pem?token=\(token)"]
        )
        #expect(Array(served.output.utf8) == (try directory.read("ca/root.pem")))
        #expect(try await fetch(root).output == "200")
        let old = try directory.write(String(decoding: before, as: UTF8.self), to: "old.pem")
        #expect(try await fetch(old).status == 60, "Who trusts the old root alone refuses the new one")
    }
}
