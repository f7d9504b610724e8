import NIOCore
import NIOPosix
import Support
import Testing
import Traffic

@testable import Proxy

#if os(Linux)
@Suite("The search for programs")
struct OriginFinderTests {
    private func pair(_ number: Int) throws -> SocketPair {
        try #require(
            SocketPair(
                client: SocketAddress(ipAddress: "127.0.0.1", port: 20_000 + number),
                listener: SocketAddress(ipAddress: "127.0.0.1", port: 9090)
            )
        )
    }

    @Test("Each of hundreds of connections on several loops is answered once")
    func answers() async throws {
        let directory = try TemporaryDirectory()
        let finder = OriginFinder(table: ProcessTable(root: directory.path))
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 3)
        let answered = Watched([Int](repeating: 0, count: 300))
        var random = SeededGenerator(seed: 7)
        for number in 0..<300 {
            let pair = try pair(number)
            let loop = group.next()
            try await loop.submit {
                let finding = finder.find(pair, on: loop) { _ in answered.update { $0[number] += 1 } }
                if case .known = finding { answered.update { $0[number] += 1 } }
            }.get()
            // Some come one at a time, some while a search is under way.
            if Int.random(in: 0..<40, using: &random) == 0 {
                _ = try await answered.wait(for: "every answer so far") { $0.prefix(number + 1).allSatisfy { $0 > 0 } }
            }
        }
        _ = try await answered.wait(for: "every answer") { $0.allSatisfy { $0 > 0 } }
        try await group.shutdownGracefully()
        #expect(answered.value.allSatisfy { $0 == 1 })
    }
}
#endif
