import ArgumentParser
import Store
import Support
import Testing
import Traffic

@testable import inspect

@Suite("A run that is cancelled", .timeLimit(.minutes(15)))
struct CancelledRunTests {
    @Test("It records the exchange that is open, and closes the store, as a run does that ends by itself")
    func isWhole() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("captures.db")
        let head = Array("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n".utf8)
        let origin = try await LoopbackOrigin.start { .init(consuming: $0.count, .send(head)) }
        let words = ["--store", path, "--ca-directory", directory.file("ca"), "--drain-seconds", "1"]
        let options = try StartCommand.parse(words).options
        let (opened, open) = AsyncStream.makeStream(of: Void.self)
        let (never, end) = AsyncStream.makeStream(of: Void.self)
        let run = Task {
            try await Instance(options: options, ports: .any).run { instance in
                let client = try await RawClient.connect(port: instance.proxyPort)
                try await client.send("GET http://127.0.0.1:\(origin.port)/ HTTP/1.1\r\nHost: x\r\n\r\n")
                _ = try await client.read(through: "\r\n\r\n")
                open.finish()
                for await _ in never {}
            }
        }
        for await _ in opened {}
        run.cancel()
        _ = await run.result
        end.finish()
        // Its lock is free again, and its log was read into the file.
        let store = try TrafficStore(path: path, access: .writing)
        #expect(try store.exchange(1)?.failure?.cause == .shutdown)
        try store.close()
    }
}
