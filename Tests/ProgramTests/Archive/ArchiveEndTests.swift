import Foundation
import Support
import Testing

/// The end of a command that unpacked archives.
@Suite(.timeLimit(.minutes(15))) struct ArchiveEndTests {
    /// A folder for what commands unpack, beside an archive of one exchange.
    private struct Places: Sendable {
        let directory: TemporaryDirectory
        let store: CapturedStore
        var unpacked: String { directory.file("unpacked") }
        var archive: String { store.file("a.har") }

        init() async throws {
            (directory, store) = (try TemporaryDirectory(), try CapturedStore())
            try FileManager.default.createDirectory(atPath: unpacked, withIntermediateDirectories: false)
            try await store.record(Sample(1, "GET", "/first"))
            let exported = try await store.inspect("export", "-o", archive)
            #expect(exported.status == 0, "\(exported.errors)")
        }

        func run(_ arguments: [String]) throws -> RunningProcess {
            try RunningProcess(try Executable.inspect(), arguments, environment: ["TMPDIR": unpacked])
        }

        func folders() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: unpacked) }
    }

    @Test("What is unpacked of an archive is gone when the command is stopped", arguments: [SIGINT, SIGTERM, SIGHUP])
    func reading(_ signal: Int32) async throws {
        try await stopped(signal, folders: 1) { _, pipe in ["ls", "--from", pipe] }
    }

    @Test("What is unpacked of two archives is gone when the command is stopped", arguments: [SIGINT, SIGTERM, SIGHUP])
    func comparing(_ signal: Int32) async throws {
        try await stopped(signal, folders: 2) { ["diff", "--from", $0, "--from", $1] }
    }

    @Test("A mock of an archive ends by itself when it is asked to", arguments: [SIGINT, SIGTERM, SIGHUP])
    func mock(_ signal: Int32) async throws {
        let places = try await Places()
        let ca = places.directory.file("ca")
        let inspect = try places.run(["mock", "--port", "0", "--ca-directory", ca, "--from", places.archive])
        _ = try await inspect.line(containing: "Answering")
        #expect(try places.folders().count == 1)
        kill(inspect.id, signal)
        let ended = try await inspect.end()
        #expect(ended.status == 0, "\(ended)")
        #expect(try places.folders() == [])
    }

    @Test(
        "A mock of an archive that is asked to end twice ends at once, and leaves nothing",
        arguments: [SIGINT, SIGTERM, SIGHUP]
    )
    func mockTwice(_ signal: Int32) async throws {
        let places = try await Places()
        let ca = places.directory.file("ca")
        let inspect = try places.run(["mock", "--port", "0", "--ca-directory", ca, "--from", places.archive])
        let line = try await inspect.line(containing: "server ")
        let port = try #require(line.firstMatch(of: /:([0-9]+) and/).flatMap { Int($0.output.1) })
        // A request that does not end keeps the mock for as long as a shutdown waits at most.
        let client = try await RawClient.connect(port: port)
        let head = "POST /first HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n"
        try await client.send(Array((head + "half").utf8))
        kill(inspect.id, signal)
        try await Self.closed(port)
        kill(inspect.id, signal)
        let ended = try await inspect.end()
        #expect(ended.status == 128 + signal, "\(ended)")
        #expect(try places.folders() == [])
        withExtendedLifetime(client) {}
    }

    /// Waits until nobody listens at a port, as once a shutdown began.
    private static func closed(_ port: Int) async throws {
        let deadline = ContinuousClock.now + Patience.stretched(.seconds(20))
        while ContinuousClock.now < deadline {
            guard (try? await RawClient.connect(port: port)) != nil else { return }
        }
        throw Unexpected("somebody listens at port \(port)")
    }

    /// Stops a command while it reads an archive from a pipe that says nothing.
    private func stopped(_ signal: Int32, folders: Int, _ arguments: (_ archive: String, _ pipe: String) -> [String])
        async throws
    {
        let places = try await Places()
        let pipe = places.directory.file("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        let inspect = try places.run(arguments(places.archive, pipe))
        let writing = try await Self.opened(pipe, by: inspect)
        defer { close(writing) }
        #expect(try places.folders().count == folders)
        kill(inspect.id, signal)
        let ended = try await inspect.end()
        #expect(ended.status == 128 + signal, "\(ended)")
        #expect(try places.folders() == [])
    }

    /// Opens a pipe to write once a program has it open to read.
    private static func opened(_ pipe: String, by reader: RunningProcess) async throws -> Int32 {
        let deadline = ContinuousClock.now + Patience.stretched(.seconds(20))
        while reader.soFar.status == nil, ContinuousClock.now < deadline {
            // Does not wait: it fails until there is a reader.
            let writing = open(pipe, O_WRONLY | O_NONBLOCK)
            if writing >= 0 { return writing }
            _ = try? await reader.end(within: .milliseconds(20))
        }
        throw Unexpected("nobody reads the pipe: \(reader.soFar)")
    }
}
