import ArgumentParser
import Foundation
import Store
import Synchronization
import Traffic

/// `inspect-bench writer`: how many exchanges a second the store records, with bodies, as the proxy hands them over.
struct WriterBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "writer",
        abstract: "Record exchanges of 1 KB through the store's writer."
    )

    @Option(help: "Exchanges a round.")
    var count: Int = 100_000

    @Option(help: "Exchanges in a batch, as one loop tick of the proxy gathers them.")
    var batch: Int = 8

    @Option(help: "Batches handed over and not yet committed.")
    var inFlight: Int = 16

    @Flag(help: "Make no blocks of what is written.")
    var withoutBlocks = false

    @Option(help: "Rounds; the median counts.")
    var rounds: Int = 5

    mutating func validate() throws {
        guard count > 0, batch > 0, inFlight > 0, rounds > 0 else {
            throw ValidationError("every number must be above 0")
        }
    }

    func run() async throws {
        var rounds: [(wall: Double, cpu: Double)] = []
        for round in 1...self.rounds {
            let one = try oneRound()
            rounds.append(one)
            print("round \(round): \(WriterBenchmark.line(one))")
        }
        let median = (
            wall: rounds.map(\.wall).sorted()[rounds.count / 2], cpu: rounds.map(\.cpu).sorted()[rounds.count / 2]
        )
        print("median: \(WriterBenchmark.line(median))")
        print(
            "\(count) exchanges, batches of \(batch), \(inFlight) in flight, blocks: \(withoutBlocks ? "none" : "all made")"
        )
    }

    private static func line(_ one: (wall: Double, cpu: Double)) -> String {
        "\(Int(one.wall)) exchanges/s by the clock, \(Int(one.cpu)) a CPU second, \(String(format: "%.1f", 1e6 / one.cpu)) µs of CPU each"
    }

    /// Records into a new store, waits for the last commit and the last block, and checks that everything is there.
    ///
    /// The exchanges are made beforehand.
    private func oneRound() throws -> (wall: Double, cpu: Double) {
        let directory = FileManager.default.temporaryDirectory.appending(path: "inspect-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let store = try TrafficStore(
            path: directory.appending(path: "captures.db").path,
            access: .writing,
            makesBlocks: !withoutBlocks
        )
        let batches = stride(from: 0, to: count, by: batch).map { first in
            (first..<min(count, first + batch)).map { SampleExchange(number: CaptureToken($0 + 1)).ended }
        }
        let room = DispatchSemaphore(value: inFlight)
        let lost = Mutex(0)
        let clock = ContinuousClock()
        let cpu = Figures.processSeconds
        let took = try clock.measure {
            for events in batches {
                room.wait()
                store.submit(
                    CaptureBatch(events: events) { receipt in
                        if !receipt.isRecorded { lost.withLock { $0 += events.count } }
                        room.signal()
                    }
                )
            }
            for _ in 0..<inFlight { room.wait() }
            for _ in 0..<inFlight { room.signal() }
            if !withoutBlocks { try store.settle() }
        }
        let used = Figures.processSeconds - cpu
        let total = try store.list(ListingQuery(limit: 0, countsFacets: false)).total
        try store.close()
        guard total == count, lost.withLock({ $0 }) == 0 else {
            throw ValidationError("\(total) of \(count) exchanges were recorded")
        }
        return (Double(count) / (took / .seconds(1)), Double(count) / used)
    }
}
