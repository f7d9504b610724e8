import ArgumentParser
import Foundation
import Lenses
import Store
import Synchronization
import Traffic

/// `inspect-bench fill`: writes a realistic store through the store's own writer, to measure questions on.
struct FillCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fill",
        abstract:
            "Write a realistic store: many hosts, methods, codes and types, JSON of 0.3 to 4 KB, spread over two weeks.",
        discussion:
            "The same seed gives the same exchanges. Rare texts are planted and named when it is done. An existing file is refused."
    )

    @Option(help: "Exchanges.")
    var count: Int = 100_000

    @Option(help: ArgumentHelp("The store to make.", valueName: "path"))
    var store: String

    @Option(help: "What the exchanges are made from.")
    var seed: UInt64 = 1

    /// Exchanges in a batch, and batches handed over and not yet committed.
    private static let (batch, inFlight) = (64, 16)

    mutating func validate() throws {
        guard count > 0 else { throw ValidationError("--count must be above 0") }
    }

    func run() async throws {
        guard !FileManager.default.fileExists(atPath: store) else {
            throw ValidationError("\(store) is there already; name another file, or remove it")
        }
        let traffic = SyntheticTraffic(seed: seed, count: count)
        let file = try TrafficStore(path: store, access: .writing, classifier: LensSet.standard)
        let clock = ContinuousClock()
        let writing = try clock.measure { try write(traffic, to: file) }
        let indexing = try clock.measure {
            try file.settle()
        }
        try file.close()
        print(
            "\(count) exchanges written in \(Figures.seconds(writing)), indexed after another \(Figures.seconds(indexing))"
        )
        for needle in Needle.allCases {
            let places = Needle.places(in: count).filter { $0.value == needle }.keys.sorted()
            print("  \(needle.rawValue) in the \(needle) of \(places.map { String($0) }.joined(separator: ", "))")
        }
    }

    private func write(_ traffic: SyntheticTraffic, to file: TrafficStore) throws {
        let room = DispatchSemaphore(value: FillCommand.inFlight)
        let lost = Mutex(0)
        for first in stride(from: 1, through: count, by: FillCommand.batch) {
            let last = min(count, first + FillCommand.batch - 1)
            let events = (first...last).flatMap { traffic.events($0) }
            room.wait()
            file.submit(
                CaptureBatch(events: events) { receipt in
                    if !receipt.isRecorded { lost.withLock { $0 += 1 } }
                    room.signal()
                }
            )
        }
        for _ in 0..<FillCommand.inFlight { room.wait() }
        for _ in 0..<FillCommand.inFlight { room.signal() }
        guard lost.withLock({ $0 }) == 0 else { throw ValidationError("some of the exchanges could not be written") }
    }
}
