import Foundation
import Support
import Testing

/// Bodies far beyond what may be held pass through, and a reader that stalls stalls the sender.
@Suite(.serialized, .timeLimit(.minutes(15))) struct BigBodyMemoryTests {
    private static let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)

    @Test(
        "A download and a chunked upload pass and are recorded up to the limit, the proxy without the memory of half of one"
    )
    func passes() async throws { try await Self.passes(megabytes: 96, keeping: 8, growingLessThan: 48) }

    @Test("A reader that stops reading stops the sender")
    func stalls() async throws { try await Self.stalls(megabytes: 96) }

    @Test("A body that a few bytes of decode to very much of is handed out decoded without being held")
    func bomb() async throws {
        let size = 120 << 20
        let packed = try await CommandLineTool.run("sh", ["-c", "head -c \(size) /dev/zero | gzip | gzip"]).outputBytes
        let fields = "Content-Type: application/octet-stream\r\nContent-Encoding: gzip, gzip\r\n"
        let head = "HTTP/1.1 200 OK\r\n\(fields)Content-Length: \(packed.count)\r\n\r\n"
        let origin = try await LoopbackOrigin.start(
            script: RawRequest.answering { _ in Array(head.utf8) + packed }
        )
        let directory = try TemporaryDirectory()
        let inspect = try await RunningInspect.start(in: directory, ["--web-token-file", directory.file("token")])
        let before = try await inspect.peakMegabytes()
        let common = ["-sS", "--noproxy", "", "-o", "/dev/null", "-w", "%{size_download} %{http_code}"]
        let recorded = try await CommandLineTool.run(
            "curl",
            common + ["-x", inspect.proxy, "http://127.0.0.1:\(origin.port)/"]
        )
        #expect(recorded.output == "\(packed.count) 200", "\(recorded.errors)")
        let row = try #require(try await inspect.listing().exchanges.first)
        let token = String(decoding: try directory.read("token"), as: UTF8.self).trimmingCharacters(in: .newlines)
        let address =
            "http://127.0.0.1:\(inspect.pagePort)/api/v1/exchanges/\(row.id)/response/body?decoded=1&limit=\(128 << 20)"
        let decoded = try await CommandLineTool.run(
            "curl",
            common + ["-H", "Authorization: Bearer \(token)", address],
            within: .seconds(300)
        )
        #expect(decoded.output == "\(size) 200", "\(decoded.errors)")
        let after = try await inspect.peakMegabytes()
        #expect(after - before < 90)
        print("\(size >> 20) MiB decoded: \(before) MB before, \(after) MB at most")
    }

    /// Sends a body each way through a proxy that keeps a part of it.
    ///
    /// - Parameters:
    ///   - megabytes: how large each body is.
    ///   - kept: how much of it is kept.
    ///   - limit: how many megabytes the proxy may grow by.
    /// - Throws: when a client or a command fails.
    static func passes(megabytes: Int, keeping kept: Int, growingLessThan limit: Int) async throws {
        let size = megabytes << 20
        let received = Watched(0)
        let origin = try await LoopbackOrigin.start(keeps: 4096) { unanswered in
            // The upload's last chunk, or a request without a body; what is before it is let go.
            if unanswered.suffix(5) == Array("0\r\n\r\n".utf8) {
                received.update { $0 += unanswered.count }
                return .init(
                    consuming: unanswered.count,
                    .send(Array("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ndone".utf8))
                )
            }
            if unanswered.starts(with: "GET ".utf8), unanswered.suffix(4) == Array("\r\n\r\n".utf8) {
                let head = Array("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n".utf8)
                return .init(consuming: unanswered.count, .send(head), .stream(piece, times: megabytes))
            }
            guard unanswered.count > 5, !unanswered.starts(with: "GET ".utf8) else { return nil }
            received.update { $0 += unanswered.count - 5 }
            return .init(consuming: unanswered.count - 5)
        }
        let inspect = try await RunningInspect.start(["--body-limit", "\(kept)MiB"])
        let before = try await inspect.peakMegabytes()
        let common = [
            "-sS", "--noproxy", "", "-x", inspect.proxy, "-o", "/dev/null", "-w", "%{size_download} %{http_code}",
        ]
        let base = "http://127.0.0.1:\(origin.port)"
        let download = try await CommandLineTool.run("curl", common + ["\(base)/download"], within: .seconds(300))
        #expect(download.output == "\(size) 200", "\(download.errors)")
        let afterDownload = try await inspect.peakMegabytes()
        #expect(afterDownload - before < limit)

        let sized = try await CommandLineTool.run("truncate", ["-s", "\(size)", inspect.directory.file("big")])
        #expect(sized.status == 0)
        let upload = try await CommandLineTool.run(
            "curl",
            common + [
                "-H", "Transfer-Encoding: chunked", "-H", "Expect:", "-T", inspect.directory.file("big"),
                "\(base)/upload",
            ],
            within: .seconds(300)
        )
        #expect(upload.output == "4 200", "\(upload.errors)")
        #expect(received.value > size)
        let afterUpload = try await inspect.peakMegabytes()
        #expect(afterUpload - before < limit)
        print("\(megabytes) MiB each way: \(before) MB before, \(afterDownload) and \(afterUpload) MB at most")

        let rows = try await inspect.listing().exchanges
        let downloaded = try #require(rows.first { $0.target.hasSuffix("/download") })
        #expect(downloaded.outcome == "completed" && downloaded.responseBytes == size)
        let uploaded = try #require(rows.first { $0.target.hasSuffix("/upload") })
        #expect(uploaded.outcome == "completed" && uploaded.requestBytes == size)
        let shown = try await inspect.exchange(downloaded.id)
        #expect(shown.response?.body.truncated == true, "Kept up to the limit and marked")
        #expect(try await inspect.body(downloaded.id, "response").count == kept << 20)
    }

    /// Stops reading a body early, and later reads the rest.
    ///
    /// - Parameter megabytes: how large it is; the proxy and the sockets may take half of it meanwhile.
    /// - Throws: when something does not come in time.
    static func stalls(megabytes: Int) async throws {
        let origin = try await LoopbackOrigin.start { unanswered in
            guard unanswered.suffix(4) == Array("\r\n\r\n".utf8) else { return nil }
            let head = Array("HTTP/1.1 200 OK\r\nContent-Length: \(megabytes << 20)\r\n\r\n".utf8)
            return .init(consuming: unanswered.count, .send(head), .stream(piece, times: megabytes))
        }
        let inspect = try await RunningInspect.start()
        let before = try await inspect.peakMegabytes()
        let client = try await RawClient.connect(port: inspect.port)
        try await client.setReading(false)
        try await client.send("GET http://127.0.0.1:\(origin.port)/ HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\n\r\n")
        _ = try await origin.connections("some of it taken") { ($0.first?.sentBytes ?? 0) > 1 << 20 }
        let settled = try await origin.settled({ $0.first?.sentBytes }, for: .seconds(1))
        #expect(try #require(settled.first).sentBytes < megabytes << 19)
        #expect(try await inspect.peakMegabytes() - before < megabytes / 2)
        try await client.setReading(true)
        _ = try await origin.connections("all of it taken", within: .seconds(120)) { $0[0].sentBytes > megabytes << 20 }
    }
}

extension RunningInspect {
    /// The most memory that the process has had so far, in MB: what the kernel calls VmHWM; where there is none, what it has now.
    fileprivate func peakMegabytes() async throws -> Int {
        if let status = try? String(contentsOfFile: "/proc/\(process.id)/status", encoding: .utf8) {
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
            guard let kilobytes = line?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
                throw Unexpected("no VmHWM in \(status)")
            }
            return kilobytes >> 10
        }
        let listed = try await CommandLineTool.run("ps", ["-o", "rss=", "-p", "\(process.id)"])
        guard let kilobytes = Int(listed.output.filter(\.isNumber)) else {
            throw Unexpected("ps says \(listed.output)")
        }
        return kilobytes >> 10
    }
}
