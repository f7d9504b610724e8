import ArgumentParser
import Lenses
import NIOCore
import Traffic

/// `inspect-bench classify`: how long it takes to tell which app sent an exchange and which lens reads it.
struct ClassifyBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "classify",
        abstract: "Classify synthetic exchanges, as the store does once for each."
    )

    @Option(help: "Exchanges.")
    var count: Int = 20_000

    @Option(help: "Rounds; the median counts.")
    var rounds: Int = 5

    @Option(help: "What the exchanges are made from.")
    var seed: UInt64 = 1

    /// An exchange with the beginnings of its bodies.
    private struct Sample {
        var exchange: Exchange
        var request: [UInt8]
        var response: [UInt8]
    }

    /// Microseconds of a round: the exchange in the middle, the 99th of a hundred, and the mean.
    private typealias Times = (median: Double, p99: Double, mean: Double)

    mutating func validate() throws {
        guard count > 0, rounds > 0 else { throw ValidationError("every number must be above 0") }
    }

    func run() throws {
        let samples = samples()
        let bare = samples.map { Sample(exchange: $0.exchange, request: [], response: []) }
        var strange = samples
        for index in strange.indices {
            strange[index].exchange.host = "unknown-\(index % 50).example"
            strange[index].exchange.target = "/feed/\(index)?page=\(index % 7)"
        }
        measure("known hosts and paths", samples)
        measure("the same without a look at bodies", bare)
        measure("unknown hosts and paths, so that bodies decide", strange)
    }

    private func measure(_ name: String, _ samples: [Sample]) {
        let all = (0..<rounds).map { _ in ClassifyBenchmark.round(samples) }
        func middle(_ value: (Times) -> Double) -> String {
            let microseconds = all.map(value).sorted()[all.count / 2]
            return String((microseconds * 100).rounded() / 100)
        }
        let known = samples.count { LensSet.standard.classify($0.exchange, bodyStart: { _ in [] }).lens != nil }
        print(
            "\(name): median \(middle(\.median)) µs, p99 \(middle(\.p99)) µs, mean \(middle(\.mean)) µs "
                + "(\(samples.count) exchanges, median of \(rounds) rounds; \(known) known by their heads)"
        )
    }

    private static func round(_ samples: [Sample]) -> Times {
        let clock = ContinuousClock()
        var times: [Double] = []
        times.reserveCapacity(samples.count)
        var known = 0
        for sample in samples {
            let start = clock.now
            let answer = LensSet.standard.classify(sample.exchange) {
                $0 == .request ? sample.request : sample.response
            }
            times.append((clock.now - start) / .microseconds(1))
            if answer.lens != nil { known += 1 }
        }
        times.sort()
        let mean = times.reduce(0, +) / Double(max(1, times.count))
        return (times[times.count / 2], times[times.count * 99 / 100], known >= 0 ? mean : 0)
    }

    private func samples() -> [Sample] {
        let traffic = SyntheticTraffic(seed: seed, count: count)
        return (1...count).compactMap { number in
            guard case .ended(_, let exchange, let request, let response) = traffic.events(number).last else {
                return nil
            }
            func start(_ buffer: ByteBuffer) -> [UInt8] { Array(buffer.readableBytesView.prefix(BodyStart.limitBytes)) }
            return Sample(exchange: exchange, request: start(request), response: start(response))
        }
    }
}
