import Foundation
import NIOCore
import Support
import Testing

@testable import ProgramTests
@testable import inspect

/// Where the system allows few open files, `inspect start` says how many connections that leaves.
@Suite(.timeLimit(.minutes(15))) struct DescriptorLimitTests {
    /// Files that belong to no connection: six for each core are those that its two event loops wait on, and one is a socket soon closed.
    private static let otherCount = 88 + 7 * System.coreCount

    /// The folder of the checked-in certificates.
    private static let certificates = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "certs")

    /// Held by the suite, so that it outlives the program.
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func start(
        _ options: [String] = [],
        fileCount: Int = DescriptorLimitTests.otherCount + 200
    ) throws -> RunningProcess {
        try RunningProcess(
            "/bin/sh",
            ["-c", "ulimit -n \(fileCount) && exec \"$@\" 2>&1", "sh", try Executable.inspect()]
                + ["start", "--port", "0", "--web-port", "0"] + RunningInspect.places(directory) + options
        )
    }

    @Test(
        "A limit that cannot be kept is lowered with one line that says to what and how to raise it: to two files for each connection, beside those that are none's",
        arguments: [(otherCount + 200, 100), (otherCount + 1_000, 500), (otherCount, 1)]
    )
    func lowered(fileCount: Int, connectionCount: Int) async throws {
        let process = try start(fileCount: fileCount)
        let line = try await process.line(containing: "warning: ")
        #expect(line.contains("\(fileCount) files open"), "\(line)")
        #expect(line.contains(" \(connectionCount) client connections and not 10000"), "\(line)")
        #expect(line.contains(", and \(connectionCount) to upstreams;"), "\(line)")
        _ = try await process.line(containing: "Ctrl-C stops")
        #expect(try await process.stop().status == 0)
    }

    @Test(
        "Clients' connections, those to upstreams and all other files fit the limit together; there is at least one of each"
    )
    func sum() {
        for fileCount in [0, 1, 200, 201, 1_000, 4_096, 1 << 20] {
            let (most, fitting) = (
                DescriptorLimit.connectionCount(within: Self.otherCount + fileCount), max(2, fileCount)
            )
            for clientCount in [1, most / 2, most] where clientCount > 0 {
                let upstreamCount = DescriptorLimit.upstreamCount(
                    within: Self.otherCount + fileCount,
                    beside: clientCount
                )
                #expect(clientCount + upstreamCount == fitting, "\(fileCount) files, \(clientCount) clients")
                #expect(upstreamCount >= clientCount)
            }
        }
    }

    /// Frames of HTTP/2 by which a client asks for many things at once: its preface and settings, and one HEADERS frame for each stream.
    private static func requests(_ count: Int, to authority: String) -> [UInt8] {
        func frame(_ type: UInt8, _ flags: UInt8, stream: UInt8, _ payload: [UInt8]) -> [UInt8] {
            [0, 0, UInt8(payload.count), type, flags, 0, 0, 0, stream] + payload
        }
        func text(_ text: String) -> [UInt8] { [UInt8(text.utf8.count)] + Array(text.utf8) }
        let fields = [(":method", "GET"), (":scheme", "https"), (":authority", authority), (":path", "/")]
        let head: [UInt8] = fields.flatMap { [0] + text($0) + text($1) }
        // END_STREAM and END_HEADERS.
        let heads: [UInt8] = (0..<count).flatMap { frame(1, 5, stream: UInt8(1 + 2 * $0), head) }
        return Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + frame(4, 0, stream: 0, []) + heads
    }

    /// How many HEADERS frames have come whole.
    private static func headCount(_ bytes: [UInt8]) -> Int {
        var (count, rest) = (0, bytes[...])
        while rest.count >= 9 {
            let head = Array(rest.prefix(9))
            let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
            guard rest.count >= 9 + length else { break }
            if head[3] == 1 { count += 1 }
            rest = rest.dropFirst(9 + length)
        }
        return count
    }

    @Test(
        "A client with more streams than there may be upstream connections takes no file from other clients or the store"
    )
    func streams() async throws {
        let (streamCount, upstreamCount) = (100, 60)
        let gate = Gate()
        let answering: LoopbackOrigin.Script = { unanswered in
            RawRequest(first: unanswered).map {
                let answer = Array("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n".utf8)
                return .init(consuming: $0.bytes.count, .held(gate), .send(answer), .close)
            }
        }
        let tls = LoopbackOrigin.TLS(
            certificateFile: Self.certificates.appending(path: "good.pem").path,
            keyFile: Self.certificates.appending(path: "good-key.pem").path
        )
        // HTTP/1 alone is spoken behind the streams.
        let origin = try await LoopbackOrigin.start(tls: tls, script: answering)
        let plain = try await LoopbackOrigin.start(script: answering)
        let process = try start(
            ["--connect-timeout", "\(Patience.seconds(30))s", "--no-match-protocols", "--insecure-upstream"],
            fileCount: Self.otherCount + 2 * upstreamCount
        )
        let line = try await process.line(containing: "proxy ")
        let port = try #require(line.firstMatch(of: /:([0-9]+)/).flatMap { Int($0.output.1) })
        _ = try await process.line(containing: "Ctrl-C stops")
        let client = try await RawClient.connect(port: port)
        let authority = "localhost:\(origin.port)"
        try await client.send("CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
        #expect(try await client.read(through: "\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
        try await client.startTLS(name: "localhost", trusting: directory.file("ca/root.pem"), protocols: ["h2"])
        try await client.send(Self.requests(streamCount, to: authority))
        _ = try await origin.connections("as many requests as there may be connections", within: .seconds(20)) {
            $0.count == upstreamCount && $0.allSatisfy { RawRequest(first: $0.received) != nil }
        }
        // Others are let in, as many as there may be beside it, and their requests wait as well.
        var others: [RawClient] = []
        for _ in 1..<upstreamCount {
            let other = try await RawClient.connect(port: port)
            try await other.send(
                "GET http://127.0.0.1:\(plain.port)/ HTTP/1.1\r\nHost: 127.0.0.1:\(plain.port)\r\n\r\n"
            )
            others.append(other)
        }
        #expect(origin.connections.count == upstreamCount && plain.connections.isEmpty)
        gate.open()
        _ = try await client.read("an answer on each stream", within: .seconds(30)) {
            Self.headCount($0) == streamCount ? $0.count : nil
        }
        for other in others {
            #expect(try await other.read(through: "\r\n\r\n", within: .seconds(30)).hasPrefix("HTTP/1.1 204 "))
        }
        #expect(origin.connections.count == streamCount && plain.connections.count == others.count)
        withExtendedLifetime(client) {}
        let ended = try await process.stop()
        let said = String(decoding: ended.output, as: UTF8.self)
        #expect(ended.status == 0, "\(ended)")
        // One warning is that of the limit itself, one that of the option, and a busy machine may record late.
        let warnings = said.split(separator: "\n").filter { $0.contains("warning: ") && !$0.contains("the record ") }
        #expect(warnings.count { $0.contains("files open") } == 1 && warnings.count <= 2, "\(said)")
        let counted = try await RunningInspect.run(
            ["assert", "--count", "\(streamCount + others.count)", "--store", RunningInspect.store(directory)],
            in: directory
        )
        #expect(counted.status == 0, "\(counted)")
    }

    @Test("That the default is lowered a little is not worth a word")
    func nearly() async throws {
        let process = try start(fileCount: 4_096)
        _ = try await process.line(containing: "Ctrl-C stops")
        let ended = try await process.stop()
        #expect(ended.status == 0 && !String(decoding: ended.output, as: UTF8.self).contains("warning"), "\(ended)")
    }

    @Test("A limit that can be kept is kept without a word")
    func kept() async throws {
        let process = try start(["--connection-limit", "100"])
        _ = try await process.line(containing: "Ctrl-C stops")
        let ended = try await process.stop()
        #expect(ended.status == 0 && !String(decoding: ended.output, as: UTF8.self).contains("warning"), "\(ended)")
    }
}
