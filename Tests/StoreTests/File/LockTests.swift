import GRDB
import NIOCore
import Support
import Testing
import Traffic

@testable import Store

@Suite("A store that another program holds locked", .timeLimit(.minutes(15)))
struct LockTests {
    /// Held by the suite, so that the directory outlives the test.
    private let home: TemporaryStore

    init() throws { home = try TemporaryStore() }

    /// Has the writer's turn for a while: what is handed over meanwhile gathers.
    private func onWriter(of store: TrafficStore, _ body: (Database) throws -> Void) rethrows {
        try store.pool.writeWithoutTransaction(body)
    }

    /// How often the lock is asked for until batches are answered that wait for the writer together.
    private func attempts(for count: Int, in store: TrafficStore) async throws -> Int {
        let (answered, attempts) = (Watched(0), Watched(0))
        onWriter(of: store) { db in
            db.trace { statement in
                if "\(statement)".hasPrefix("BEGIN") { attempts.update { $0 += 1 } }
            }
            for token in 0..<count {
                let event = ExchangeEvent.ended(CaptureToken(token), .plain(), request: .init(), response: .init())
                store.submit(CaptureBatch(events: [event]) { _ in answered.update { $0 += 1 } })
            }
        }
        _ = try await answered.wait(for: "the answers", within: .seconds(60)) { $0 == count }
        return attempts.value
    }

    @Test("It is waited for once, however many batches wait, and what could not be recorded is one gap")
    func oneWait() async throws {
        // Blocks would be written as well, and wait for the lock on their own account.
        let store = try home.open(makesBlocks: false)
        await store.record([.plain()])
        try onWriter(of: store) { try $0.execute(sql: "PRAGMA busy_timeout = 50") }
        let lock = try ForeignLock(on: home)
        #expect(try await attempts(for: 1, in: store) == 1)
        #expect(try await attempts(for: 12, in: store) == 1)
        #expect(try store.gaps().map(\.count) == [13])
        try lock.release()
        #expect(await store.record([.plain()]).ids == [2])
        #expect(try store.gaps().map(\.count) == [13] && store.check().problems == [])
        try store.close()
    }

    /// Whether a process holds SQLite's lock of all who have the file open, as another process sees it.
    private func isHeld() async throws -> Bool {
        // SQLite's file locking: the 510 bytes after 2^30 + 1.
        let script = """
            import fcntl, sys
            try: fcntl.lockf(open(sys.argv[1], "r+b"), fcntl.LOCK_EX | fcntl.LOCK_NB, 510, 0x40000002)
            except OSError: print("held")
            """
        return try await CommandLineTool.run("python3", ["-c", script, home.path]).output == "held\n"
    }

    @Test("Those who look at the file beside the writer in its process leave its locks alone")
    func locksStay() async throws {
        let store = try home.open()
        await store.record([.plain()])
        #expect(try await isHeld())
        let reader = try home.open(.reading)
        #expect(try await isHeld())
        try reader.close()
        try TrafficStore.requireStore(at: home.path)
        #expect(TrafficStore.writingProcess(at: home.path) != nil)
        #expect(throws: StoreError.self) { try home.open() }
        #expect(try await isHeld())
        #expect(await store.record([.plain()]).isRecorded)
        try store.close()
        #expect(try await !isHeld())
    }

    @Test("What is lost while it holds the store is lost for good: no later change that fails takes it back")
    func lossesStay() async throws {
        let store = try home.open()
        await store.record([.plain()])
        let lock = try ForeignLock(on: home)
        var memory = WriterMemory(nextID: 2)
        _ = memory.lose(CaptureBatch(events: [.opened(7, .plain(outcome: .pending))]) { _ in }, cause: "locked")
        try onWriter(of: store) { db in
            try db.execute(sql: "PRAGMA busy_timeout = 1")
            #expect(throws: DatabaseError.self) { try memory.transaction(on: db) { $0.open[8] = .init() } }
        }
        memory.open.revert()
        #expect(memory.open[7] != nil && memory.open[8] == nil)
        try lock.release()
        try store.close()
    }
}
