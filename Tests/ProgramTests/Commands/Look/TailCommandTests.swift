import Archive
import Foundation
import Support
import Testing
import Traffic

@Suite(.timeLimit(.minutes(15))) struct TailCommandTests {
    @Test("tail prints matching rows as they are recorded, and ends with status 0 when it is asked to")
    func follows() async throws {
        let store = try CapturedStore()
        try await store.record(Sample(1, "GET", "/before"))
        try await store.record(Sample(2, "GET", "/last"))
        let tail = try RunningProcess(
            try Executable.inspect(),
            ["tail", "--jsonl", "--last", "1", "--code", "200", "--store", store.path]
        )
        _ = try await tail.line(containing: "/last")
        try await store.record(Sample(3, "GET", "/other", code: 404))
        try await store.record(Sample(4, "GET", "/new"))
        let line = try await tail.line(containing: "/new")
        #expect(try JSONDecoder().decode(ExchangeRow.self, from: Data(line.utf8)).id == 4)
        let ended = try await tail.stop()
        #expect(ended.status == 0)
        #expect(String(decoding: ended.output, as: UTF8.self).split(separator: "\n").count == 2)
        #expect(ended.errors.isEmpty)
    }

    @Test("An exchange that was open before is printed when it ends, one that opens later twice")
    func followsOpen() async throws {
        let store = try CapturedStore()
        try await store.open(Sample(1, "GET", "/early"))
        try await store.record(Sample(2, "GET", "/mark"))
        let tail = try RunningProcess(
            try Executable.inspect(),
            ["tail", "--jsonl", "--last", "1", "--store", store.path]
        )
        _ = try await tail.line(containing: "/mark")
        try await store.record(Sample(1, "GET", "/early"))
        try await store.open(Sample(3, "GET", "/late"))
        _ = try await tail.line(containing: "/late")
        try await store.record(Sample(3, "GET", "/late"))
        _ = try await tail.line(containing: #""target":"/late","code":200"#)
        let rows = try String(decoding: try await tail.stop().output, as: UTF8.self).split(separator: "\n")
            .map { try JSONDecoder().decode(ExchangeRow.self, from: Data($0.utf8)) }
        #expect(rows.filter { $0.target == "/early" }.map(\.outcome) == [.completed])
        #expect(rows.filter { $0.target == "/late" }.map(\.outcome) == [.pending, .completed])
    }
}
