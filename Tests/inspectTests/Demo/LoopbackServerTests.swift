import Support
import Testing

@testable import inspect

@Suite("A server of this machine for a check or a demonstration", .timeLimit(.minutes(15)))
struct LoopbackServerTests {
    @Test("Each connection is served by itself, also while others are open, and none is left when the closure ends")
    func connections() async throws {
        let first = try await LoopbackServer.run { inbound, outbound in
            for try await bytes in inbound { try await outbound.write(bytes) }
        } while: { port in
            let first = try await RawClient.connect(port: port)
            let second = try await RawClient.connect(port: port)
            try await first.send("one")
            try await second.send("two")
            #expect(try await second.read(count: 3) == Array("two".utf8))
            #expect(try await first.read(count: 3) == Array("one".utf8))
            try await second.close()
            try await first.send("more")
            #expect(try await first.read(count: 4) == Array("more".utf8))
            return first
        }
        #expect(try await first.readToEnd() == [])
    }

    @Test("What the closure throws ends the server, and is thrown")
    func failure() async throws {
        let problem = await #expect(throws: InputError.self) {
            try await LoopbackServer.run { _, _ in
            } while: { _ in
                throw InputError("enough")
            }
        }
        #expect(problem?.description == "enough")
    }

    @Test("The origin of a check answers a request once its head is whole, and closes")
    func origin() async throws {
        let answers = try await DoctorOrigin.run(answer: "hello", certificate: nil) { origin in
            let client = try await RawClient.connect(port: origin.port)
            try await client.send("GET / HTTP/1.1\r\nHost: a")
            try await client.send(".test\r\n\r\n")
            return String(decoding: try await client.readToEnd(), as: UTF8.self)
        }
        #expect(answers.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(answers.hasSuffix("\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello"))
    }
}
