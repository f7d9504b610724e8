import Foundation
import Support
import Testing
import Traffic

struct TailCommandTests {
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
}
