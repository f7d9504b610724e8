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

    @Option(help: "Rounds; the median counts.")
    var rounds: Int = 5

    mutating func validate() throws {
        guard count > 0, batch > 0, inFlight > 0, rounds > 0 else {
            throw ValidationError("every number must be above 0")
        }
    }

    func run() async throws {
        var rates: [Double] = []
        for round in 1...rounds {
            let rate = try oneRound()
            rates.append(rate)
            print("round \(round): \(Int(rate)) exchanges/s")
        }
        print(
            "median: \(Int(rates.sorted()[rates.count / 2])) exchanges/s of \(count), batches of \(batch), \(inFlight) in flight"
        )
    }

    /// Records into a new store, waits for the last commit, and checks that everything is there.
    private func oneRound() throws -> Double {
        let directory = FileManager.default.temporaryDirectory.appending(path: "inspect-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let store = try TrafficStore(path: directory.appending(path: "captures.db").path, access: .writing)
        let room = DispatchSemaphore(value: inFlight)
        let lost = Mutex(0)
        let clock = ContinuousClock()
        let took = clock.measure {
            var token: CaptureToken = 0
            var left = count
            while left > 0 {
                let size = min(batch, left)
                left -= size
                let events = (0..<size).map { _ in
                    token += 1
                    return SampleExchange(number: token).ended
                }
                room.wait()
                store.submit(
                    CaptureBatch(events: events) { receipt in
                        if !receipt.isRecorded { lost.withLock { $0 += size } }
                        room.signal()
                    }
                )
            }
            for _ in 0..<inFlight { room.wait() }
            for _ in 0..<inFlight { room.signal() }
        }
        let total = try store.list(ListingQuery(limit: 0, countsFacets: false)).total
        try store.close()
        guard total == count, lost.withLock({ $0 }) == 0 else {
            throw ValidationError("\(total) of \(count) exchanges were recorded")
        }
        return Double(count) / (Double(took.components.seconds) + Double(took.components.attoseconds) / 1e18)
    }
}
