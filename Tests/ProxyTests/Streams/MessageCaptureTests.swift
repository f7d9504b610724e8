import Foundation
import NIOCore
import Support
import Testing
import Traffic

@testable import Proxy

@Suite("The messages of an exchange's stream", .timeLimit(.minutes(15)))
struct MessageCaptureTests {
    private static func fields(_ lines: String...) -> HeaderList {
        HeaderList(head: ByteBuffer(string: "HTTP/1.1 200 OK\r\n" + lines.map { $0 + "\r\n" }.joined() + "\r\n"))
    }

    private static func message(_ lines: String..., trailers: String? = nil) -> Message {
        Message(
            head: ByteBuffer(string: "HTTP/1.1 200 OK\r\n" + lines.map { $0 + "\r\n" }.joined() + "\r\n"),
            trailers: trailers.map { ByteBuffer(string: $0) }
        )
    }

    /// Python's zlib flushes after each event, as a server that compresses a stream must.
    private static func flushed(_ parts: [String]) async throws -> [[UInt8]] {
        let program = """
            import sys, zlib
            coder = zlib.compressobj(wbits=31)
            for part in sys.argv[1:]:
                print((coder.compress(part.encode()) + coder.flush(zlib.Z_SYNC_FLUSH)).hex())
            """
        let result = try await CommandLineTool.run("python3", ["-c", program] + parts)
        return result.output.split(separator: "\n").map { line in
            stride(from: 0, to: line.count, by: 2).compactMap { UInt8(line.dropFirst($0).prefix(2), radix: 16) }
        }
    }

    @Test("The events of a compressed stream are told as they come")
    func codedEvents() async throws {
        let parts = try await Self.flushed(["data: one\n\n", "data: two\n\n", "data: thr", "ee\n\n"])
        var capture = MessageCapture(limits: MessageLimits(), totalBytes: 1 << 20)
        capture.begin(
            .response,
            Self.fields("Content-Type: text/event-stream; charset=utf-8", "Content-Encoding: gzip")
        )
        var told: [Int] = []
        var texts: [String?] = []
        for part in parts {
            capture.read(.response, ByteBuffer(bytes: part), time: 1) { texts.append($0.text) }
            told.append(texts.count)
        }
        #expect(told == [1, 2, 2, 3] && texts == ["one", "two", "three"])
        #expect(capture.counts == MessageCounts(request: 0, response: 3))
        #expect(capture.takeWarnings().isEmpty)
    }

    @Test("A damaged coding ends the reading of messages with one sentence")
    func damagedCoding() {
        var capture = MessageCapture(limits: MessageLimits(), totalBytes: 1 << 20)
        capture.begin(.response, Self.fields("Content-Type: text/event-stream", "Content-Encoding: gzip"))
        let begun: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
        for part in [begun, [0xFF, 0xFF, 0xFF, 0xFF], Array("data: a\n\n".utf8)] {
            capture.read(.response, ByteBuffer(bytes: part), time: 1) { _ in }
        }
        #expect(capture.counts.total == 0 && capture.takeWarnings().count == 1)
    }

    @Test("A nested bomb costs a bounded time, whatever it decodes to, and is read no further")
    func nestedBomb() async throws {
        let program = """
            import sys, zlib
            data = [bytes(1 << 20)] * int(sys.argv[1])
            for _ in range(2):
                coder = zlib.compressobj(9, wbits=31)
                data = [coder.compress(piece) for piece in data] + [coder.flush()]
            print(b"".join(data).hex())
            """
        var costs: [UInt64] = []
        for megabytes in ["16", "192"] {
            let hex = try await CommandLineTool.run("python3", ["-c", program, megabytes]).output
            let bomb = stride(from: 0, to: hex.utf8.count - 1, by: 2).compactMap {
                UInt8(hex.dropFirst($0).prefix(2), radix: 16)
            }
            var capture = MessageCapture(limits: MessageLimits(), totalBytes: 1 << 20)
            capture.begin(.response, Self.fields("Content-Type: text/event-stream", "Content-Encoding: gzip, gzip"))
            let began = threadTime()
            capture.read(.response, ByteBuffer(bytes: bomb), time: 1) { _ in }
            costs.append(threadTime() - began)
            #expect(!capture.reads(.response) && capture.takeWarnings().count == 1)
        }
        // There is twelve times as much in it, and no more of it is read.
        #expect(costs[1] < 4 * costs[0], "\(costs)")
    }

    private func threadTime() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    @Test("Past the bound of a side, messages are counted and measured only")
    func total() {
        var capture = MessageCapture(limits: MessageLimits(), totalBytes: 10)
        capture.begin(.response, Self.fields("Content-Type: text/event-stream"))
        var messages: [StreamMessage] = []
        capture.read(.response, ByteBuffer(string: "data: 12345678\n\ndata: 123\n\ndata: 12\n\n"), time: 1) {
            messages.append($0)
        }
        #expect(messages.map(\.isTruncated) == [false, true, false])
        #expect(messages.map(\.size) == [8, 3, 2] && messages[1].problem != nil)
    }

    @Test("A gRPC call ends with its status, from the trailers or from a head that has nothing else")
    func grpcStatus() {
        for response in [
            Self.message("content-type: application/grpc", trailers: "grpc-status: 0\r\ngrpc-message: fine\r\n\r\n"),
            Self.message("content-type: application/grpc", "grpc-status: 0", "grpc-message: fine"),
        ] {
            var capture = MessageCapture(limits: MessageLimits(), totalBytes: 1 << 20)
            capture.begin(.request, Self.fields("Content-Type: application/grpc+proto"))
            capture.begin(.response, response.fields)
            var messages: [StreamMessage] = []
            capture.read(.request, ByteBuffer(bytes: GRPCReaderTests.message([1])), time: 1) { messages.append($0) }
            capture.finish(response, time: 2) { messages.append($0) }
            #expect(messages.map(\.label) == ["message", "trailers"] && messages.last?.status == 0)
            #expect(messages.last?.text?.contains("grpc-message: fine") == true)
        }
    }

    @Test(
        "Other bodies have no messages",
        arguments: ["text/plain", "application/json", "application/grpc-web-text", "text/event-streams"]
    )
    func others(type: String) {
        var capture = MessageCapture(limits: MessageLimits(), totalBytes: 1 << 20)
        capture.begin(.request, Self.fields("Content-Type: text/event-stream"))
        capture.begin(.response, Self.fields("Content-Type: \(type)"))
        #expect(!capture.reads(.request) && !capture.reads(.response))
    }
}
