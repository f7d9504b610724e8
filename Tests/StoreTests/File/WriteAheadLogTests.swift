import Archive
import Foundation
import GRDB
import NIOCore
import Testing
import Traffic

@testable import Store

@Suite("The log of a store", .timeLimit(.minutes(15)))
struct WriteAheadLogTests {
    @Test("The longer somebody reads, the more rarely they are waited for; once they have gone the log is soon moved")
    func rarer() {
        var state = WriteAheadLog.State()
        var (size, last, waits) = (Int64(0), Int64(0), 0)
        // To 64 times the cap, every attempt in vain.
        while size < 64 * WriteAheadLog.capBytes {
            size += 1 << 20
            guard let kind = state.add(1 << 20) else { continue }
            #expect(size - last == WriteAheadLog.checkpointBytes)
            last = size
            guard kind == .restart else { continue }
            waits += 1
            // Up to it nobody is waited for.
            #expect(size >= WriteAheadLog.capBytes)
        }
        #expect(waits > 1 && waits < 30)
        #expect(size - last < WriteAheadLog.checkpointBytes)
    }

    /// Writes something, and moves the whole log into the file, for which nobody may hold a snapshot; the size of what is left of it.
    private static func move(_ store: TrafficStore, _ home: TemporaryStore) throws -> Int? {
        try store.save(SavedSearch(name: "a", query: "code:500"))
        try store.pool.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA busy_timeout = 100")
            _ = try db.checkpoint(.truncate)
        }
        return try FileManager.default.attributesOfItem(atPath: home.path + "-wal")[.size] as? Int
    }

    @Test("An export or a walk holds no snapshot while it waits for its reader: the log can be moved")
    func waiting() async throws {
        let home = try TemporaryStore()
        let store = try home.open()
        await store.record(
            (UInt64(1)...3).map { number -> ExchangeEvent in
                let exchange = Exchange.plain().with(responseBody: Array("x".utf8))
                return .ended(number, exchange, request: ByteBuffer(), response: ByteBuffer(string: "x"))
            }
        )
        // A snapshot that is held is in its way.
        #expect(throws: (any Error).self) { try store.read { _ in try Self.move(store, home) } }
        for format in [ExportFormat.har, .jsonl, .json, .csv, .raw, .curl] {
            let exporter = Exporter(store: store, scope: .ended, creatorVersion: "1", redactor: nil, remedyWords: nil)
            var asked = 0
            _ = try exporter.write(store.ids(Filter()), as: format) { _ in
                asked += 1
                let left = try Self.move(store, home)
                #expect(left == 0)
            }
            #expect(asked > 0, "\(format)")
        }
        var walked = 0
        try store.eachSummary(Filter()) { _ in
            walked += 1
            let left = try Self.move(store, home)
            #expect(left == 0)
        }
        #expect(walked == 3)
        try store.close()
        withExtendedLifetime(home) {}
    }
}
