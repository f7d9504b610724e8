import Foundation
import Proxy
import Support
import Testing
import Traffic

/// The key log, judged by tshark with a capture of the wire.
@Suite(.timeLimit(.minutes(15)))
struct KeyLogTests {
    @Test("tshark reads the requests of both sides in a capture, with the key log alone")
    func capture() async throws {
        let directory = try TemporaryDirectory()
        let (log, capture) = (directory.file("keys.txt"), directory.file("wire.pcapng"))
        let origin = try await LoopbackOrigin.start(
            tls: Certificates.server("good"),
            script: RawRequest.answering { _ in Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8) }
        )
        try await RunningProxy.run(configure: {
            WaysInTests.listening(.reverse(.https, Endpoint(host: "localhost", port: origin.port)))(&$0)
            $0.keyLogFile = log
        }) { proxy in
            let ports = [proxy.port, origin.port]
            let filter = ports.map { "tcp port \($0)" }.joined(separator: " or ")
            let dumping = try RunningProcess(
                try CommandLineTool.find("sh"),
                ["-c", "exec dumpcap -i lo -a duration:600 -f \"$1\" -w \"$2\" 2>&1", "sh", filter, capture]
            )
            _ = try await dumping.line(containing: "File: ")
            for target in ["/one?secret", "/two"] {
                let client = try await proxy.connect()
                try await client.startTLS(name: "localhost", trusting: proxy.rootFile)
                try await client.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
                #expect(try await client.response().text == "ok")
            }
            let options = ports.flatMap { ["-d", "tcp.port==\($0),tls", "-d", "tls.port==\($0),http"] }
            let fields = ["-Y", "http.request", "-T", "fields", "-e", "tcp.dstport", "-e", "http.request.uri"]
            let expected = ports.flatMap { port in ["/one?secret", "/two"].map { "\(port)\t\($0)" } }.sorted()
            // dumpcap writes what it has from time to time, in the order in which it came: this comes last.
            let mark = "the-end-of-the-capture"
            let marking = try await RawClient.connect(port: origin.port)
            try await marking.send(mark)
            let watching = try RunningProcess(
                try CommandLineTool.find("sh"),
                ["-c", "tail -c +1 -F \"$1\" 2> /dev/null | grep -a -o -m 1 \"$2\"", "sh", capture, mark]
            )
            _ = try await watching.line(containing: mark)
            let read = try await CommandLineTool.run(
                "tshark",
                ["-r", capture, "-o", "tls.keylog_file:\(log)"] + options + fields
            )
            let seen = read.output.split(separator: "\n").map(String.init).sorted()
            #expect(seen == expected, "\(read.errors)")
            _ = try await watching.destroy()
            _ = try await dumping.destroy()
            let mode = try FileManager.default.attributesOfItem(atPath: log)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let lines = String(decoding: try directory.read("keys.txt"), as: UTF8.self).split(separator: "\n")
            #expect(lines.count >= 4 * 4 && lines.allSatisfy { $0.split(separator: " ").count == 3 })
        }
    }

    @Test("A key log is appended to, and closed to others even when it was not")
    func appended() async throws {
        let directory = try TemporaryDirectory()
        let log = try directory.write("# mine\n", to: "keys.txt")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: log)
        let origin = try await LoopbackOrigin.start(tls: Certificates.server("good")) { _ in nil }
        try await RunningProxy.run(configure: { $0.keyLogFile = log }) { proxy in
            _ = try await proxy.secureTunnel(to: origin.port)
        }
        let text = String(decoding: try directory.read("keys.txt"), as: UTF8.self)
        #expect(text.hasPrefix("# mine\n") && text.hasSuffix("\n") && text.contains("CLIENT_HANDSHAKE_TRAFFIC_SECRET "))
        let mode = try FileManager.default.attributesOfItem(atPath: log)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test("A key log that cannot be written is told at the start")
    func unwritable() async throws {
        await #expect(throws: ProxyStartError.self) {
            try await RunningProxy.run(configure: { $0.keyLogFile = "/no/such/folder/keys.txt" }) { _ in }
        }
    }
}
