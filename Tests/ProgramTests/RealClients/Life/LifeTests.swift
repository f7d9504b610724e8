import Foundation
import Support
import Testing

/// The life of a store beside the proxy that records into it.
@Suite(.timeLimit(.minutes(15)))
struct LifeTests {
    private static func origin() async throws -> LoopbackOrigin {
        try await LoopbackOrigin.start(
            script: RawRequest.answering { request in
                let body = "the answer to \(request.target)"
                return Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
            }
        )
    }

    /// Asks for paths, one after another on one connection.
    private static func ask(_ inspect: RunningInspect, _ origin: LoopbackOrigin, _ paths: [String]) async throws {
        let client = try await RawClient.connect(port: inspect.port)
        for path in paths {
            let host = "127.0.0.1:\(origin.port)"
            try await client.send("GET http://\(host)\(path) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            _ = try await client.read(through: "the answer to \(path)")
        }
    }

    private static func run(_ inspect: RunningInspect, _ arguments: String...) async throws -> String {
        let ran = try await RunningInspect.run(
            arguments + ["--store", RunningInspect.store(inspect.directory)],
            in: inspect.directory
        )
        guard ran.status == 0 else { throw Unexpected("\(arguments): \(ran.status) \(ran.errors)") }
        return ran.output
    }

    @Test("pause lets traffic pass unrecorded, its removal says how much did, and both say so where nothing runs")
    func pause() async throws {
        let origin = try await Self.origin()
        let inspect = try await RunningInspect.start()
        try await Self.ask(inspect, origin, ["/before"])
        #expect(try await Self.run(inspect, "pause").contains("until 'inspect pause --remove'"))
        try await Self.ask(inspect, origin, ["/unseen/1", "/unseen/2", "/unseen/3"])
        #expect(try await Self.run(inspect, "pause", "--remove").contains("3 exchanges passed unrecorded"))
        try await Self.ask(inspect, origin, ["/after"])
        let listed = try await Self.run(inspect, "ls", "--jsonl")
        #expect(listed.contains("/before") && listed.contains("/after") && !listed.contains("/unseen"))
        _ = try await inspect.process.stop()
        for command in [["pause"], ["pause", "--remove"]] {
            let alone = try await RunningInspect.run(
                command + ["--store", RunningInspect.store(inspect.directory)],
                in: inspect.directory
            )
            #expect(alone.status == 2 && alone.errors.contains("no proxy is running"), "\(alone.errors)")
        }
    }

    @Test("Every changing command speaks to the running proxy, which goes on recording; its session is kept")
    func beside() async throws {
        let origin = try await Self.origin()
        let inspect = try await RunningInspect.start(["--session", "first run"])
        try await Self.ask(inspect, origin, (1...6).map { "/a\($0)" })
        #expect(try await Self.run(inspect, "mark", "tag", "1..3", "slow") == "3 exchanges tagged slow.\n")
        #expect(try await Self.run(inspect, "mark", "note", "2", "twice") == "Note written on 1 exchange.\n")
        #expect(try await Self.run(inspect, "mark", "favourite", "path:/a6") == "1 exchange marked.\n")
        #expect(try await Self.run(inspect, "saved", "mine", "tag:slow") == "@mine stands for tag:slow\n")
        #expect(try await inspect.listing("@mine -note:twice").exchanges.map(\.id) == [3, 1])
        #expect(try await inspect.listing("--tag", "slow").counts("tag") == ["slow": 3, "none": 3])
        #expect(try await Self.run(inspect, "clear", "@mine note:twice", "--yes") == "Deleted 1 exchange.\n")
        try await Self.ask(inspect, origin, ["/b1"])
        #expect(try await Self.run(inspect, "store", "compact").contains(" before, "))
        try await Self.ask(inspect, origin, ["/b2"])
        #expect(try await inspect.listing("session:\"first run\"").exchanges.map(\.id) == [8, 7, 6, 5, 4, 3, 1])
        #expect(try await Self.run(inspect, "store").contains("Session    first run, 7 exchanges"))
        #expect(try await Self.run(inspect, "saved", "mine", "--remove") == "")
        #expect(try await Self.run(inspect, "clear", "--yes") == "Deleted 7 exchanges.\n")
        let unknown = try await RunningInspect.run(
            ["mark", "tag", "99", "x", "--store", RunningInspect.store(inspect.directory)],
            in: inspect.directory
        )
        #expect(unknown.status == 2 && unknown.errors.hasPrefix("inspect: no exchange 99 in the store;"))
        #expect(try await inspect.process.stop().status == 0)
        let again = try await RunningInspect.start(in: inspect.directory)
        try await Self.ask(again, origin, ["/c"])
        #expect(try await again.listing().exchanges.map(\.id) == [9])
        #expect(try await again.listing("session:first").matched == 0)
        #expect(try await again.process.stop().status == 0)
    }

    @Test("A running proxy keeps so many, the marked aside, and all of them are those that came last")
    func keeps() async throws {
        let origin = try await Self.origin()
        let inspect = try await RunningInspect.start(["--keep-count", "20"])
        try await Self.ask(inspect, origin, ["/marked"])
        _ = try await Self.run(inspect, "mark", "favourite", "1")
        try await Self.ask(inspect, origin, (2...120).map { "/\($0)" })
        let listing = try await inspect.listing(with: "only twenty to be left") { $0.total == 20 }
        #expect(listing.exchanges.map(\.id) == Array((102...120).reversed()) + [1])
        #expect(try await inspect.process.stop().status == 0)
    }
}
