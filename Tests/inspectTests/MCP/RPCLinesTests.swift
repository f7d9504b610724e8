import Foundation
import Testing

@testable import inspect

/// Lines of a pipe, in whatever pieces they come.
@Suite(.timeLimit(.minutes(15))) struct RPCLinesTests {
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

    @Test("A line beyond the limit is lost and said so, and the next one is read")
    func tooLong() throws {
        let long = String(repeating: "x", count: 40_000)
        #expect(try lines([long, "\nnext\n"], limitBytes: 1_000) == ["too long", "next"])
        #expect(try lines(["a\n", long], limitBytes: 1_000) == ["a", "too long"])
    }
}
