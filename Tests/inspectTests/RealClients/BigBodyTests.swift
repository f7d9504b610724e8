import Foundation
import Support
import Testing

/// Bodies far beyond what may be held pass through, and a reader that stalls stalls the sender.
@Suite(.serialized) struct BigBodyTests {
    /// More than all the memory that the proxy may have.
    private static let size = 160 << 20
    private static let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)

    @Test("A download and a chunked upload of 160 MiB pass and are recorded, the proxy under 150 MB")
    func passes() async throws {
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
                let head = Array("HTTP/1.1 200 OK\r\nContent-Length: \(Self.size)\r\n\r\n".utf8)
                return .init(consuming: unanswered.count, .send(head), .stream(Self.piece, times: Self.size >> 20))
            }
            guard unanswered.count > 5, !unanswered.starts(with: "GET ".utf8) else { return nil }
            received.update { $0 += unanswered.count - 5 }
            return .init(consuming: unanswered.count - 5)
        }
        let inspect = try await RunningInspect.start()
        let common = [
            "-sS", "--noproxy", "", "-x", inspect.proxy, "-o", "/dev/null", "-w", "%{size_download} %{http_code}",
        ]
        let base = "http://127.0.0.1:\(origin.port)"
        let download = try await CommandLineTool.run("curl", common + ["\(base)/download"], within: .seconds(300))
        #expect(download.output == "\(Self.size) 200", "\(download.errors)")
        let afterDownload = try await inspect.peakMegabytes()
        #expect(afterDownload < 150)

        let sized = try await CommandLineTool.run("truncate", ["-s", "\(Self.size)", inspect.directory.file("big")])
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
        #expect(received.value > Self.size)
        #expect(try await inspect.peakMegabytes() < 150)

        let rows = try await inspect.listing().exchanges
        let downloaded = try #require(rows.first { $0.target.hasSuffix("/download") })
        #expect(downloaded.outcome == "completed" && downloaded.responseBytes == Self.size)
        let uploaded = try #require(rows.first { $0.target.hasSuffix("/upload") })
        #expect(uploaded.outcome == "completed" && uploaded.requestBytes == Self.size)
        let shown = try await inspect.exchange(downloaded.id)
        #expect(shown.response?.body.truncated == true, "Kept up to the limit and marked")
        #expect(try await inspect.body(downloaded.id, "response").count == 64 << 20)
    }

    @Test("A reader that stops reading stops the sender")
    func stalls() async throws {
        let origin = try await LoopbackOrigin.start { unanswered in
            guard unanswered.suffix(4) == Array("\r\n\r\n".utf8) else { return nil }
            let head = Array("HTTP/1.1 200 OK\r\nContent-Length: \(Self.size)\r\n\r\n".utf8)
            return .init(consuming: unanswered.count, .send(head), .stream(Self.piece, times: Self.size >> 20))
        }
        let inspect = try await RunningInspect.start()
        let client = try await RawClient.connect(port: inspect.port)
        try await client.setReading(false)
        try await client.send("GET http://127.0.0.1:\(origin.port)/ HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\n\r\n")
        _ = try await origin.connections("some of it taken") { ($0.first?.sentBytes ?? 0) > 1 << 20 }
        await #expect(throws: DeadlinePassed.self) {
            _ = try await origin.connections("more taken than buffers hold", within: .seconds(3)) {
                $0[0].sentBytes > 32 << 20
            }
        }
        #expect(try await inspect.peakMegabytes() < 150)
        try await client.setReading(true)
        _ = try await origin.connections("all of it taken", within: .seconds(120)) { $0[0].sentBytes > Self.size }
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
