import Foundation
import Support
import Testing

@Suite(.timeLimit(.minutes(15))) struct DiffCommandTests {
    private static let json = "Content-Type: application/json\r\n"

    private static func sample(_ token: Int, _ target: String, _ body: String, host: String = "a.test", code: Int = 200)
        -> Sample
    {
        Sample(UInt64(token), "GET", target, host: host, code: code, fields: json, responseBody: Array(body.utf8))
    }

    @Test("Two exchanges: status 0 where they are equal, 1 where not, and what differs is named")
    func pairs() async throws {
        let store = try CapturedStore()
        try await store.record(Self.sample(1, "/x?a=1&b=2", #"{"id":9007199254740993,"at":1}"#))
        try await store.record(Self.sample(2, "/x?b=2&a=1", #"{"id":9007199254740992,"at":2}"#))
        try await store.record(Self.sample(3, "/x?a=1&b=2", #"{"at": 1, "id": 9007199254740993}"#))
        let same = try await store.inspect("diff", "1", "3")
        #expect(
            same.status == 0 && same.output.hasPrefix("same  GET https://a.test/x?a=1&b=2  1 → 3"),
            "\(same.output)"
        )
        let other = try await store.inspect("diff", "1", "2", "--ignore", "json:$.at")
        #expect(other.status == 1 && other.errors.isEmpty)
        #expect(other.output.contains("  reordered  request line order of the query  ?a=1&b=2 → ?b=2&a=1\n"))
        #expect(other.output.contains("  changed  response json $.id  9007199254740993 → 9007199254740992\n"))
        #expect(other.output.contains("passed over: json:$.at (1)") && !other.output.contains("$.at  "))
    }

    @Test("Two sets are aligned, and what is on one side only is added or removed")
    func sets() async throws {
        let store = try CapturedStore()
        let left = [("/items/1", "{}"), ("/items/2", #"{"a":1}"#), ("/gone", "{}"), ("/fails", "{}")]
        let right = [("/items/2", #"{"a":2}"#), ("/new", "{}"), ("/items/1", "{}"), ("/fails", "{}")]
        for (index, one) in left.enumerated() { try await store.record(Self.sample(index + 1, one.0, one.1)) }
        for (index, one) in right.enumerated() {
            let code = one.0 == "/fails" ? 503 : 200
            try await store.record(Self.sample(index + 5, one.0, one.1, host: "b.test", code: code))
        }
        let run = try await store.inspect("diff", "--left", "host:a.test", "--right", "host:b.test")
        #expect(run.status == 1 && run.errors.isEmpty, "\(run.errors)")
        let lines = run.output.split(separator: "\n").map { String($0) }
        #expect(lines.contains("5 compared: 1 the same, 2 changed, 1 added, 1 removed"), "\(run.output)")
        #expect(
            lines.contains("  changed  response json $.a  1 → 2")
                && lines.contains("  changed  response status  200 → 503")
        )
        #expect(lines.contains { $0.hasPrefix("removed  GET https://a.test/gone  3") })
        #expect(lines.contains { $0.hasPrefix("added  GET https://b.test/new  6") })
        let equal = try await store.inspect("diff", "--left", "host:a.test", "--right", "host:a.test", "--json")
        let root = try #require(try JSONSerialization.jsonObject(with: Data(equal.outputBytes)) as? [String: Any])
        #expect(equal.status == 0 && root["equal"] as? Bool == true && root["same"] as? Int == 4)
    }

    @Test("The filter flags narrow both sets")
    func flags() async throws {
        let store = try CapturedStore()
        try await store.record(Self.sample(1, "/a", #"{"v":1}"#))
        try await store.record(Self.sample(2, "/b", #"{"v":1}"#, code: 404))
        try await store.record(Self.sample(3, "/a", #"{"v":1}"#, host: "b.test"))
        try await store.record(Self.sample(4, "/b", #"{"v":2}"#, host: "b.test", code: 404))
        let sets = ["--left", "host:a.test", "--right", "host:b.test"]
        func diff(_ flags: [String]) async throws -> CommandLineTool.Result {
            let words = ["diff"] + sets + flags + ["--store", store.path]
            return try await CommandLineTool.run(try Executable.inspect(), words)
        }
        #expect(try await diff([]).output.contains("2 compared: 1 the same, 1 changed"))
        let narrowed = try await diff(["--code", "200", "--method", "get"])
        #expect(narrowed.status == 0 && narrowed.output.contains("1 compared: 1 the same"), "\(narrowed.output)")
        #expect(try await diff(["--code", "404"]).status == 1)
        #expect(try await diff(["--method", "post"]).status == 2)
    }

    @Test("An archive is a side, and two are both")
    func archives() async throws {
        let store = try CapturedStore()
        try await store.record(Self.sample(1, "/a", #"{"v":1}"#))
        try await store.record(Self.sample(2, "/b", "{}"))
        let file = store.file("old.har")
        _ = try await store.inspect("export", "-o", file)
        #expect(try await store.inspect("diff", "--from", file).status == 0)
        try await store.record(Self.sample(3, "/a", #"{"v":2}"#))
        let changed = try await store.inspect("diff", "id:3", "--from", file, "--right", "path:/a")
        #expect(
            changed.status == 1 && changed.output.contains("changed  response json $.v  2 → 1"),
            "\(changed.output)\(changed.errors)"
        )
        #expect(try await store.inspect("diff", "--from", file, "--from", file).status == 0)
    }

    @Test(
        "What cannot be compared is one line",
        arguments: [
            ([], "name two exchanges"), (["1"], "name two exchanges"), (["1", "2", "3"], "name two exchanges"),
            (["1", "99"], "no exchange 99"), (["--left", "host:a"], "go together"),
            (["--session", "a"], "two sessions"), (["--session", "a", "b"], "neither side has an exchange"),
            (["1", "2", "--ignore", "date"], "nothing to ignore"),
            (["1", "2", "--learn-noise"], "no proxy is running"),
            (["--left", "cod:1", "--right", "code:1"], "cod"), (["--from", "none.har"], "cannot read"),
            (["1", "--from", "none.har"], "say with --right which of none.har are on the other side"),
            (["--left", "1..2", "--from", "none.har"], "numbers name exchanges of the store"),
            (["1", "--from", "none.har", "--right", "2"], "cannot read"),
        ]
    )
    func mistakes(_ arguments: [String], _ expected: String) async throws {
        let store = try CapturedStore()
        for token in 1...3 { try await store.record(Self.sample(token, "/", "{}")) }
        let run = try await CommandLineTool.run(
            try Executable.inspect(),
            ["diff"] + arguments + ["--store", store.path]
        )
        #expect(run.status == 2 && run.output.isEmpty && run.errors.contains(expected), "\(run.errors)")
    }
}
