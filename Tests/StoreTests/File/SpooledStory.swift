import Dispatch
import Foundation
import GRDB
import NIOCore
import Synchronization
import Testing
import Traffic

@testable import Store

/// What passes before, while and after a store is written anew, and what the store then has to hold.
struct SpooledStory {
    let home: TemporaryStore

    /// By which files are named.
    static let now = Date(timeIntervalSince1970: 1_760_000_000)
    /// A body of several pieces.
    static let long = pattern(600_000)
    /// A body that several exchanges have.
    static let shared = pattern(50_000, seed: 7)

    /// An exchange that ended, with a response body of which `tail` was not told before.
    func ended(
        _ token: CaptureToken,
        _ bytes: [UInt8] = [],
        target: String = "/new",
        tail: ArraySlice<UInt8>? = nil,
        client: Peer = .plainClient
    ) -> ExchangeEvent {
        .ended(
            token,
            .plain(target: target, client: client).with(responseBody: bytes),
            request: ByteBuffer(),
            response: ByteBuffer(bytes: tail ?? bytes[...])
        )
    }

    /// An exchange that goes on.
    func opened(_ token: CaptureToken, _ target: String) -> ExchangeEvent {
        .opened(token, .plain(target: target, code: nil, outcome: .pending))
    }

    /// A message of a stream.
    func message(_ number: Int) -> StreamMessage {
        StreamMessage(
            side: .response,
            time: 1_760_000_000_000_000 + Int64(number),
            kind: .webSocket,
            opcode: 1,
            wireBytes: Int64(number),
            size: Int64(number),
            payload: ByteBuffer(bytes: pattern(number))
        )
    }

    /// A client of TLS whose certificate nobody else has.
    private func peer(_ token: UInt64) -> Peer {
        let certificates = [[UInt8(truncatingIfNeeded: token)], [1, 2]]
        let tls = Peer.TLS(
            version: "TLSv1.3",
            serverName: "a.test",
            applicationProtocol: "h2",
            certificates: certificates
        )
        return Peer(token: token, address: "127.0.0.1:\(token)", tls: tls)
    }

    /// Hands a batch over and blocks until it is committed.
    func record(_ events: [ExchangeEvent], in store: TrafficStore) -> CommitReceipt {
        let done = DispatchSemaphore(value: 0)
        let told = Mutex<CommitReceipt?>(nil)
        store.submit(
            CaptureBatch(events: events) { receipt in
                told.withLock { $0 = receipt }
                done.signal()
            }
        )
        done.wait()
        return told.withLock { $0 } ?? CommitReceipt(ids: [], isRecorded: false)
    }

    /// Runs a part of a test in the place of the copy that compacting makes.
    func aside(_ store: TrafficStore, _ body: (Database) throws -> Void) throws {
        try #require(store.writer).aside(beside: home.path, now: Self.now, body)
    }

    /// Copies files of the store as they are at this moment.
    func copy(_ suffixes: [String], to place: TemporaryStore) throws {
        for suffix in suffixes where FileManager.default.fileExists(atPath: home.path + suffix) {
            try? FileManager.default.removeItem(atPath: place.path + suffix)
            try FileManager.default.copyItem(atPath: home.path + suffix, toPath: place.path + suffix)
        }
    }

    /// Names of the files in a store's folder that belong to a spool.
    static func spools(of place: TemporaryStore) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: place.directory).filter { $0.contains("spool") }.sorted()
    }

    /// What a store has when the copy begins: two ended exchanges, and two whose streams go on, of which one is begun in small pieces.
    func begin(_ store: TrafficStore) async throws {
        try store.beginSession("one", now: 1)
        await store.record([ended(1, Self.shared, target: "/old", client: peer(1)), ended(2, target: "/old")])
        await store.record([opened(3, "/long"), opened(4, "/equal"), opened(5, "/stream")])
        await store.record([
            .body(3, .response, ByteBuffer(bytes: Self.long[..<1_000])),
            .body(4, .response, ByteBuffer(bytes: Self.shared[..<20_000])),
            .message(5, message(1)),
        ])
    }

    /// What passes while the copy is made.
    func meanwhile(_ store: TrafficStore) {
        let client = peer(2)
        #expect(record([ended(6, Self.shared, client: client), ended(7, client: client)], in: store).ids == [6, 7])
        let bodies: [ExchangeEvent] = [
            .body(3, .response, ByteBuffer(bytes: Self.long[1_000..<3_000])),
            .body(3, .response, ByteBuffer(bytes: Self.long[3_000..<250_000])),
            .message(5, message(2)), opened(8, "/later"),
        ]
        #expect(record(bodies, in: store).isRecorded)
        let end = ended(4, Self.shared, target: "/equal", tail: Self.shared[20_000...])
        #expect(record([end], in: store).ids == [4])
    }

    /// What passes when the copy is there; `next` is the number of an exchange that begins then, where 8 began before.
    func finish(_ store: TrafficStore, next: ExchangeID = 9) async {
        await store.record([
            .body(3, .response, ByteBuffer(bytes: Self.long[250_000..<500_000])), .message(5, message(3)),
        ])
        let long = ended(3, Self.long, target: "/long", tail: Self.long[500_000...])
        let ids = await store.record([
            long, ended(5, target: "/stream"), ended(8, target: "/later"), ended(9, client: peer(1)),
        ]).ids
        #expect(ids == [3, 5] + (next == 9 ? [8, 9] : [next, next + 1]))
    }
}
