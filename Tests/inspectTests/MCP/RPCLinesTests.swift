import Foundation
import Store
import Support
import Testing

@testable import inspect

/// Lines of a pipe, in whatever pieces they come.
@Suite(.timeLimit(.minutes(15))) struct RPCLinesTests {
    private let threads = BlockingThreads()

    private func lines(_ pieces: [String], limitBytes: Int) throws -> [String] {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { close(ends[0]) }
        for piece in pieces { #expect(write(ends[1], piece, piece.utf8.count) == piece.utf8.count) }
        close(ends[1])
        var lines = RPCLines(ends[0], limitBytes: limitBytes)
        var read: [String] = []
        while let line = lines.next() {
            switch line {
            case .whole(let bytes): read.append(String(decoding: bytes, as: UTF8.self))
            case .tooLong: read.append("too long")
            }
        }
        return read
    }

    @Test("Blank lines are none, a last line needs no end, and CRLF is an end too")
    func plain() throws {
        #expect(try lines(["a\n\n  \r\nb", "c\r\nd"], limitBytes: 100) == ["a", "bc\r", "d"])
        #expect(try lines([], limitBytes: 100) == [])
    }

    @Test("Where reading does not wait, the rest of a line is waited for all the same")
    func nonblocking() async throws {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForReading.fileDescriptor
        #expect(fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0)
        try pipe.fileHandleForWriting.write(contentsOf: Data("be".utf8))
        let isBegun = Watched(false)
        let line = try await withThrowingTaskGroup(of: String?.self) { group in
            defer { try? pipe.fileHandleForWriting.close() }
            group.addTask(executorPreference: threads) {
                var lines = RPCLines(descriptor, limitBytes: 100)
                isBegun.update { $0 = true }
                guard case .whole(let bytes) = lines.next() else { return nil }
                return String(decoding: bytes, as: UTF8.self)
            }
            _ = try await isBegun.wait(for: "the line to be waited for") { $0 }
            try pipe.fileHandleForWriting.write(contentsOf: Data("gun\n".utf8))
            return try await group.next() ?? nil
        }
        #expect(line == "begun")
    }

    @Test("A line beyond the limit is lost and said so, and the next one is read")
    func tooLong() throws {
        let long = String(repeating: "x", count: 40_000)
        #expect(try lines([long, "\nnext\n"], limitBytes: 1_000) == ["too long", "next"])
        #expect(try lines(["a\n", long], limitBytes: 1_000) == ["a", "too long"])
    }
}
