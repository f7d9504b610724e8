import Dispatch
import Foundation
import NIOCore
import NIOPosix
import Support
import Testing
import Traffic

@testable import Proxy

#if os(Linux)
@Suite("The search for programs", .timeLimit(.minutes(15)))
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
        let finder = OriginFinder(table: ProcessTable(root: directory.path), clock: ProxyClock())
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

    @Test("The next search does not wait for the loop that was to begin it while that is busy and another one asks")
    func overdue() async throws {
        let directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: directory.file("net"), withIntermediateDirectories: true)
        // A search takes for as long as somebody may write its table.
        let table = directory.file("net/tcp")
        try #require(mkfifo(table, 0o600) == 0)
        let finder = OriginFinder(table: ProcessTable(root: directory.path), clock: ProxyClock())
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        let (busy, other) = (group.next(), group.next())
        let answered = Watched(Set<Int>())
        func ask(_ number: Int, on loop: any EventLoop) async throws {
            let pair = try pair(number)
            try await loop.submit { _ = finder.find(pair, on: loop) { _ in answered.update { _ = $0.insert(number) } } }
                .get()
        }
        try await ask(0, on: busy)
        // Opened once the search reads it.
        let writer = open(table, O_WRONLY | O_CLOEXEC)
        try #require(writer >= 0)
        try await ask(1, on: busy)
        let isBusy = DispatchSemaphore(value: 0)
        let stands = Watched(false)
        busy.execute {
            stands.update { $0 = true }
            isBusy.wait()
        }
        // From here on it sets its next look no later, which was a millisecond ahead at most.
        _ = try await stands.wait(for: "the loop to be busy") { $0 }
        try await other.scheduleTask(in: .milliseconds(50)) {}.futureResult.get()
        try await ask(2, on: other)
        try FileManager.default.removeItem(atPath: table)
        close(writer)
        let seen = try? await answered.wait(for: "the answer on the loop that is not busy") { $0.contains(2) }
        isBusy.signal()
        #expect(seen == [2])
        _ = try await answered.wait(for: "the others") { $0 == [0, 1, 2] }
        try await group.shutdownGracefully()
    }
}
#endif
