import Dispatch
import Foundation
import Logging
import NIOCore
import Support
import Testing
import Traffic

@testable import Proxy

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

    @Test("No secret goes to a file that another user laid, or may write, and a pipe is not waited for")
    func foreign() throws {
        let directory = try TemporaryDirectory()
        func refuse(_ name: String, _ reason: String, user: uid_t = geteuid()) {
            let problem = #expect(throws: ProxyStartError.self) {
                _ = try KeyLog(path: directory.file(name), logger: Logger(label: "test"), user: user)
            }
            #expect(problem?.description.contains(reason) == true, "\(name): \(problem?.description ?? "")")
        }
        let theirs = try directory.write("# theirs\n", to: "theirs.txt")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: theirs)
        refuse("theirs.txt", "belongs to another user", user: try ForeignOwner.give(theirs))
        let mode = try FileManager.default.attributesOfItem(atPath: theirs)[.posixPermissions] as? Int
        #expect(mode == 0o644)
        let open = try directory.write("", to: "open.txt")
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: open)
        refuse("open.txt", "is open to other users")
        #expect(mkfifo(directory.file("pipe"), 0o600) == 0)
        refuse("pipe", "cannot be written")
        // One that is read is opened.
        let reader = FileHandle(forUpdatingAtPath: directory.file("pipe"))
        refuse("pipe", "is not a file")
        try reader?.close()
    }

    @Test("A key log whose disk is stuck holds nobody up: what has no room meanwhile is left out, which is said once")
    func stuck() async throws {
        let (log, begun, written) = (KeptLog(), Watched(0), Watched([Int]()))
        let stuck = DispatchSemaphore(value: 0)
        let keys = KeyLog(logger: Logger(label: "test") { _ in log }) { lines in
            begun.update { $0 += 1 }
            stuck.wait()
            stuck.signal()
            written.update { $0.append(lines.readableBytes) }
        }
        let line = ByteBuffer(repeating: UInt8(ascii: "k"), count: 999)
        keys.add(line)
        _ = try await begun.wait(for: "the disk to be written to") { $0 == 1 }
        let isTaken = Watched(false)
        // Not on a thread that others need, should it be held up.
        let isStarted = DetachedThread.start {
            for _ in 1...4_000 { keys.add(line) }
            isTaken.update { $0 = true }
        }
        #expect(isStarted)
        _ = try await isTaken.wait(for: "four times what there is room for to be taken") { $0 }
        #expect(log.lines.value.count == 1 && log.lines.value.first?.contains("is left out of it") == true)
        #expect(!keys.writeOn() && written.value.isEmpty)
        stuck.signal()
        let sizes = try await written.wait(for: "what there was room for to be written") { $0.count == 2 }
        #expect(sizes == [1_000, KeyLog.limitBytes / 1_000 * 1_000], "whole lines")
    }

    @Test("A key log that cannot be written is told at the start")
    func unwritable() async throws {
        await #expect(throws: ProxyStartError.self) {
            try await RunningProxy.run(configure: { $0.keyLogFile = "/no/such/folder/keys.txt" }) { _ in }
        }
    }
}
