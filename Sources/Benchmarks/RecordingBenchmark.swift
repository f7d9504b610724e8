import ArgumentParser
import Foundation
import Lenses
import Proxy
import Store
import Traffic
import Trust

/// `inspect-bench recording`: what recording adds to the CPU that an exchange through the proxy costs.
///
/// The same proxy hands the same traffic to a sink that keeps nothing and to a store, in turn; the store's part lasts until all blocks are made.
struct RecordingBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recording",
        abstract: "Relay GETs of 1 KB with a null sink and with the store, and compare the CPU."
    )

    @Option(help: "Exchanges a round.")
    var count: Int = 50_000

    @Option(help: "Client connections.")
    var connections: Int = 32

    @Option(help: "Rounds; the median counts.")
    var rounds: Int = 5

    mutating func validate() throws {
        guard count > 0, connections > 0, rounds > 0 else { throw ValidationError("every number must be above 0") }
    }

    func run() async throws {
        let loopback = try Loopback()
        defer { loopback.stop() }
        var added: [Double] = []
        for round in 1...rounds {
            let bare = try await relay(to: NullSink(), by: loopback) {}
            let recorded = try await record(by: loopback)
            added.append(recorded - bare)
            print("round \(round): \(RecordingBenchmark.line(bare, recorded))")
        }
        let median = added.sorted()[rounds / 2]
        print("median: recording adds \(String(format: "%.1f", median)) µs of CPU to an exchange")
        print("\(count) GETs of 1 KB a round over \(connections) connections, HTTP/1.1 on both sides, blocks included")
    }

    private static func line(_ bare: Double, _ recorded: Double) -> String {
        String(
            format: "null sink %.1f µs, recorded %.1f µs, recording adds %.1f µs of CPU to an exchange",
            bare,
            recorded,
            recorded - bare
        )
    }

    private func record(by loopback: Loopback) async throws -> Double {
        let directory = FileManager.default.temporaryDirectory.appending(path: "inspect-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let store = try TrafficStore(
            path: directory.appending(path: "captures.db").path,
            access: .writing,
            classifier: LensSet.standard
        )
        let used = try await relay(to: store, by: loopback) {
            try store.settle()
        }
        let total = try store.list(ListingQuery(limit: 0, countsFacets: false)).total
        try store.close()
        guard total == count else { throw ValidationError("\(total) of \(count) exchanges were recorded") }
        return used
    }

    /// Microseconds of CPU that this process uses for an exchange, `settle` included.
    private func relay(
        to sink: any CaptureSink,
        by loopback: Loopback,
        settle: () throws -> Void
    ) async throws -> Double {
        var configuration = ProxyConfiguration()
        configuration.port = 0
        let root = try RootCertificate(newOn: "bench", now: Date())
        let proxy = try ProxyServer(
            configuration: configuration,
            authority: try CertificateAuthority(root: root) { Date() },
            sink: sink,
            listeners: OwnListeners(),
            logger: .silent
        )
        let listeners = try await proxy.listen()
        let before = Figures.processSeconds
        try loopback.ask(port: listeners.first?.mode.port ?? 0, count: count, connections: connections)
        try settle()
        let used = Figures.processSeconds - before
        try await proxy.shutdown(listeners)
        return used * 1e6 / Double(count)
    }

    /// Says of everything that it is recorded, and keeps nothing.
    private struct NullSink: CaptureSink {
        func submit(_ batch: CaptureBatch) { batch.onCommit(CommitReceipt(ids: [], isRecorded: true)) }
    }

    /// The process with the client and the upstream.
    private final class Loopback {
        private let process = Process()
        private let (asking, answering) = (Pipe(), Pipe())

        init() throws {
            guard let program = Bundle.main.executableURL else { throw ValidationError("no path of this program") }
            process.executableURL = program
            process.arguments = ["loopback"]
            process.standardInput = asking
            process.standardOutput = answering
            try process.run()
            guard line().flatMap({ Int($0) }) != nil else { throw ValidationError("the loopback origin did not start") }
        }

        func ask(port: Int, count: Int, connections: Int) throws {
            try asking.fileHandleForWriting.write(contentsOf: Data("\(port) \(count) \(connections)\n".utf8))
            guard line() == "done" else { throw ValidationError("the loopback client broke off") }
        }

        func stop() {
            try? asking.fileHandleForWriting.close()
            process.waitUntilExit()
        }

        private func line() -> String? {
            var bytes: [UInt8] = []
            while let byte = try? answering.fileHandleForReading.read(upToCount: 1)?.first, byte != 0x0A {
                bytes.append(byte)
            }
            return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
        }
    }
}
