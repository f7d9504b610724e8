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

    @Test("However long connections gather, one that somebody waits for is searched for, and all with it")
    func hurry() async throws {
        let directory = try TemporaryDirectory()
        let finder = OriginFinder(table: ProcessTable(root: directory.path), gatheringTime: .hours(1))
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let answered = Watched<[Int]>([])
        let pairs = try (0..<200).map(pair)
        for numbers in [0..<100, 100..<200] {
            // Of so many at once some search takes several, after which the next ones gather.
            try await loop.submit {
                for number in numbers {
                    _ = finder.find(pairs[number], on: loop) { _ in answered.update { $0.append(number) } }
                }
                finder.hurry(pairs[numbers.upperBound - 1], on: loop)
            }.get()
            let so = try await answered.wait(for: "all of \(numbers)") { $0.count >= numbers.upperBound }
            #expect(so.sorted() == Array(0..<numbers.upperBound))
        }
        try await group.shutdownGracefully()
    }

    @Test("Each of hundreds of connections on several loops is answered once, whether somebody hurries or not")
    func answers() async throws {
        let directory = try TemporaryDirectory()
        let finder = OriginFinder(table: ProcessTable(root: directory.path))
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 3)
        let answered = Watched([Int](repeating: 0, count: 300))
        var random = SeededGenerator(seed: 7)
        for number in 0..<300 {
            let pair = try pair(number)
            let (loop, hurries) = (group.next(), Int.random(in: 0..<4, using: &random) == 0)
            try await loop.submit {
                _ = finder.find(pair, on: loop) { _ in answered.update { $0[number] += 1 } }
                if hurries { finder.hurry(pair, on: loop) }
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
