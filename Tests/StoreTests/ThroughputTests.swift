import Foundation
import NIOCore
import Store
import Synchronization
import Testing
import Traffic

@Suite("How fast the store records")
struct ThroughputTests {
    /// Held by the suite, so that the directory outlives the test.
    private let home: TemporaryStore

    init() throws { home = try TemporaryStore() }

    @Test("Exchanges with a distinct body of 1 KB, in batches of 20; the figure is printed, not judged")
    func rate() async throws {
        let count = 10_000
        let batches = stride(from: 0, to: count, by: 20).map { first in
            (first..<first + 20).map(BenchmarkExchange.ended)
        }
        let store = try home.open()
        let recorded = Mutex(0)
        let start = ContinuousClock.now
        let end = await withCheckedContinuation { continuation in
            for events in batches {
                store.submit(
                    CaptureBatch(events: events) { receipt in
                        let isLast = recorded.withLock { recorded in
                            recorded += receipt.ids.count
                            return recorded == count
                        }
                        if isLast { continuation.resume(returning: ContinuousClock.now) }
                    }
                )
            }
        }
        #expect(try store.list(ListingQuery(countsFacets: false)).total == count)
        try store.close()
        print("store: \(Int(Double(count) / ((end - start) / .seconds(1)))) exchanges/s in batches of 20")
    }
}

/// An exchange as the benchmarks have them: two heads of 400 bytes and a body of 1 KB.
enum BenchmarkExchange {
    private static let fields = String(repeating: "X-Some-Header: and its value here\r\n", count: 10) + "\r\n"
    private static let peers = (0..<64).map { Peer(token: UInt64($0), address: "127.0.0.1:\(50_000 + $0)", tls: nil) }

    /// The `number`th, already ended.
    static func ended(_ number: Int) -> ExchangeEvent {
        var exchange = Exchange.plain(target: "/v2/facilities/\(number)?format=json", client: peers[number % 64])
        exchange.request.head = ByteBuffer(string: "GET /v2/facilities/\(number)?format=json HTTP/1.1\r\n" + fields)
        exchange.upstream = peers[(number + 1) % 64]
        exchange.response = Message(head: ByteBuffer(string: "HTTP/1.1 200 OK\r\n" + fields))
        var body = ByteBuffer(repeating: UInt8(truncatingIfNeeded: number), count: 1016)
        body.writeInteger(number)
        var digest = [UInt8](repeating: 7, count: 24)
        digest += withUnsafeBytes(of: number.bigEndian) { Array($0) }
        exchange.response?.body = Body(length: 1024, kept: 1024, sha256: digest)
        return .ended(UInt64(number), exchange, request: ByteBuffer(), response: body)
    }
}
