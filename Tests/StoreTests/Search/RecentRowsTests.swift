import Dispatch
import GRDB
import NIOCore
import Support
import Testing
import Traffic

@testable import Store

@Suite("Search blocks of exchanges as they were written", .timeLimit(.minutes(15)))
struct RecentRowsTests {
    /// Held by the suite, so that the directory outlives the test.
    private let home: TemporaryStore

    init() throws { home = try TemporaryStore() }

    /// An exchange that ends, with a body of each side; what it has beside them goes by its number.
    private func ended(_ number: Int, request: [UInt8], response: [UInt8]) -> ExchangeEvent {
        let target = number % 3 == 0 ? "/Halls/\(number)?name=caf%C3%A9&Q=\(number)" : "/halls/\(number)"
        let type = number % 5 == 0 ? "image/png" : number % 7 == 0 ? "application/json" : "text/plain; charset=utf-8"
        var exchange = Exchange.plain("POST", host: number % 4 == 0 ? "Other.test" : "api.example.test", target: target)
        exchange.request.head = ByteBuffer(
            string: "POST \(target) HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nX-Number: Ä\(number)\r\n\r\n"
        )
        exchange.request.body = .measured(request)
        exchange.response = Message(
            head: ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\n\r\n"),
            trailers: number % 6 == 0 ? ByteBuffer(string: "Checksum: Z\(number)\r\n\r\n") : nil,
            body: .measured(response)
        )
        return .ended(
            CaptureToken(number),
            exchange,
            request: ByteBuffer(bytes: request),
            response: ByteBuffer(bytes: response)
        )
    }

    private func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test("They are the same as those of their rows, whatever an exchange has")
    func same() throws {
        let store = try home.open(makesBlocks: false)
        let long = text(String(repeating: "A long hall. ", count: 8_000))
        var events: [ExchangeEvent] = []
        for number in 1...30 {
            let response =
                switch number % 4 {
                case 0: text("Shared by some")
                case 1: long + text("\(number)")
                case 2: [UInt8]()
                default: text("{\"Wombat\": \"\\u00fcber \(number)\"}")
                }
            events.append(ended(number, request: text(number % 2 == 0 ? "Asked \(number)" : ""), response: response))
        }
        // A body of which only the end comes with the end.
        let pieces = ["The beginning, ", "and the end"].map { text($0) }
        var whole = Exchange.plain().with(responseBody: pieces[0] + pieces[1])
        whole.response?.head = ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n")
        events.append(.opened(98, .plain(outcome: .pending)))
        events.append(.body(98, .response, ByteBuffer(bytes: pieces[0])))
        events.append(.ended(98, whole, request: ByteBuffer(), response: ByteBuffer(bytes: pieces[1])))
        var socket = Exchange.plain(version: .webSocket)
        socket.messages = MessageCounts(request: 1, response: 0)
        events.append(.opened(99, .plain(outcome: .pending)))
        events.append(
            .message(
                99,
                StreamMessage(
                    side: .request,
                    time: 1,
                    kind: .webSocket,
                    opcode: 1,
                    wireBytes: 9,
                    size: 7,
                    payload: ByteBuffer(string: "Hi Hall")
                )
            )
        )
        events.append(.ended(99, socket, request: ByteBuffer(), response: ByteBuffer()))
        let made = try store.pool.writeWithoutTransaction { db in
            let rows = try write(events, in: db)
            #expect(rows.count == 32)
            return (
                known: try FreshSearchBlock(index: 0, known: rows, in: db).written,
                read: try FreshSearchBlock(index: 0, in: db).written
            )
        }
        #expect(made.known == made.read)
        #expect(made.known.bytes > 1_000 && made.known.settled == .max)
        try store.close()
    }

    /// Writes events as the store does; returns the exchanges that ended, as their search blocks read them.
    private func write(_ events: [ExchangeEvent], in db: Database) throws -> [SearchedRow] {
        var memory = WriterMemory(nextID: 1)
        return try memory.transaction(on: db) { memory in
            var transaction = try CaptureTransaction(
                db,
                bodyLimitBytes: 1 << 20,
                collectsSummaries: false,
                collectsRows: true,
                classifier: nil
            )
            for event in events { try transaction.apply(event, &memory) }
            return transaction.rows
        }
    }

    @Test(
        "Nothing of an exchange is read again for its block, and what was deleted before is not in it",
        arguments: [false, true]
    )
    func unread(deletes: Bool) throws {
        let store = try home.open(makesBlocks: false)
        // Nothing is made but what is asked for.
        let indexer = try BlockIndexer(pool: store.pool, wal: store.wal, quiet: .seconds(3_600))
        let events = (1...64).map { number in
            ended(number, request: [], response: text(number % 5 == 0 ? "" : "wombat \(number == 41 ? "secret" : "")"))
        }
        let rows = try store.pool.writeWithoutTransaction { try write(events, in: $0) }
        indexer.note(rows.map(\.line.id), rows)
        if deletes {
            try store.delete([41])
            indexer.deleted([41])
        }
        // Only who reads the bodies again would see this.
        try store.pool.write { try $0.execute(sql: "UPDATE body_chunk SET bytes = CAST('numbat ' AS BLOB)") }
        try store.pool.writeWithoutTransaction { try indexer.makeDue(atMost: .max, $0) }
        indexer.close()
        indexer.waitUntilIdle()
        #expect(try home.searchBlocks(holding: "wombat") == (deletes ? 1 : 2))
        #expect(try home.searchBlocks(holding: "numbat") == (deletes ? 1 : 0), "A block that lacks one is read")
        #expect(try home.searchBlocks(holding: "secret") == (deletes ? 0 : 1))
        #expect(try home.settledSearchBlocks() == 2)
        try store.close()
    }

    @Test("A block that does not fit into a step is made of what is held in the next")
    func steps() throws {
        let store = try home.open(makesBlocks: false)
        let indexer = try BlockIndexer(pool: store.pool, wal: store.wal, quiet: .seconds(3_600))
        // Six megabytes of text, which is more than a step makes and less than what fills up.
        let events = (1...192).map { number in
            ended(
                number,
                request: Array(text(String(repeating: "wombat \(number) ", count: 4_000)).prefix(32_700)),
                response: []
            )
        }
        let rows = try store.pool.writeWithoutTransaction { try write(events, in: $0) }
        indexer.note(rows.map(\.line.id), rows)
        try store.pool.write { try $0.execute(sql: "UPDATE body_chunk SET bytes = CAST('numbat ' AS BLOB)") }
        try store.pool.writeWithoutTransaction { try indexer.makeDue(atMost: .max, $0) }
        indexer.close()
        indexer.waitUntilIdle()
        #expect(try home.searchBlocks(holding: "wombat") == 6)
        #expect(try home.searchBlocks(holding: "numbat") == 0)
        try store.close()
    }

    @Test("Where they fill up, blocks of which all are known are made behind one that waits for an exchange")
    func open() throws {
        let store = try home.open(makesBlocks: false)
        let indexer = try BlockIndexer(pool: store.pool, wal: store.wal, quiet: .seconds(3_600))
        // Pictures, which fill up and are not looked through.
        let picture = [UInt8](repeating: 1, count: 65_000)
        let events: [ExchangeEvent] = (1...160).map { number in
            number == 7
                ? .opened(35, .plain(outcome: .pending))
                : ended(number * 5, request: text("wombat \(number)"), response: picture)
        }
        let rows = try store.pool.writeWithoutTransaction { try write(events, in: $0) }
        indexer.note(rows.map(\.line.id), rows)
        indexer.waitUntilIdle()
        #expect(try home.searchBlocks(holding: "wombat") == 4 && home.settledSearchBlocks() == 4)
        try store.pool.write { db in
            try db.execute(sql: "UPDATE body_chunk SET bytes = CAST('numbat ' AS BLOB) WHERE length(bytes) < 100")
        }
        try store.pool.writeWithoutTransaction { try indexer.makeDue(atMost: .max, $0) }
        indexer.close()
        #expect(try home.searchBlocks(holding: "wombat") == 4)
        #expect(try home.searchBlocks(holding: "numbat") == 1, "The block that lacks one is read")
        try store.close()
    }

    @Test("A block that lacks one where they fill up gives up its own, waits as ever, and is made once")
    func hole() {
        var state = SearchIndexer.State(IndexingState(capacity: SearchBlock.capacity, last: 0))
        end((1...96).filter { $0 != 7 }, of: 128, in: &state)
        var work = state.takesWhole()
        #expect(told(work) == "known [1, 2]")
        #expect(state.blocks.waiting.all == [0] && state.blocks.next == 0)
        finish(work, in: &state)
        #expect(state.recent.bytes == 0)
        work = state.takesWhole()
        #expect(told(work) == "nothing")
        end([7], of: 128, in: &state)
        #expect(state.recent.bytes == 0 && state.blocks.late.isEmpty)
        work = state.takesQuiet()
        #expect(told(work) == "blocks [0]")
        finish(work, in: &state)
        #expect(state.blocks.next == 3 && state.blocks.late.isEmpty && state.backlog == 0)
    }

    @Test("Known blocks go first where they fill up, once in turn, and are all that is made in a rest")
    func turns() {
        var state = SearchIndexer.State(IndexingState(capacity: SearchBlock.capacity, last: 0))
        for id in 1...8_192 as ClosedRange<ExchangeID> { state.add(id) }
        while let work = state.takesWhole() { finish(work, in: &state) }
        for index in 0..<16 as Range<ExchangeID> { state.add(index * SearchBlock.capacity + 1) }
        state.changed = [1]
        state.settleGroups()
        #expect(state.groups == [1] && state.blocks.late.count == 16)
        // Fifty blocks.
        end(Array(8_193...9_792), of: 8, in: &state)
        var work = state.takesWhole()
        #expect(told(work) == "known \(Array(256..<272))")
        var rests = finish(work, in: &state)
        #expect(!rests && state.recent.isFilling)
        work = state.takesWhole()
        #expect(told(work) == "late \(Array(0..<16))")
        rests = finish(work, in: &state)
        #expect(rests && state.isResting)
        work = state.takesWhole()
        #expect(told(work) == "known \(Array(272..<288))")
        rests = finish(work, in: &state)
        #expect(!rests && state.isResting && !state.recent.isFilling && state.recent.bytes > 0)
        work = state.takesWhole()
        #expect(told(work) == "nothing")
        work = state.endRest()
        #expect(told(work) == "group 0")
        rests = finish(work, in: &state)
        #expect(rests)
        work = state.endRest()
        #expect(told(work) == "group 1")
    }

    @Test("A block that holds up as many as may wait at all waits no longer")
    func heldUp() {
        var state = SearchIndexer.State(IndexingState(capacity: SearchBlock.capacity, last: 0))
        for id in 1...65_600 as ClosedRange<ExchangeID> where id != 7 { state.add(id) }
        for (known, expected) in [(1...2_047, "nothing"), (2_048...2_048, "blocks [0, 2049]")] {
            let work = SearchIndexer.Work.known(state.blocks.takeWhole(among: known.map { Int64($0) }))
            finish(work, in: &state)
            let following = state.takesWhole()
            #expect(told(following) == expected)
        }
        finish(.blocks([0, 2_049]), in: &state)
        #expect(state.blocks.next == 2_050 && state.blocks.ahead.isEmpty)
    }

    @Test(
        "Blocks of a step that failed wait with what is still held; where others were made beside it, nothing is held"
    )
    func failure() {
        var state = SearchIndexer.State(IndexingState(capacity: SearchBlock.capacity, last: 0))
        end(Array(1...96), of: 128, in: &state)
        var work = state.takesWhole()
        #expect(told(work) == "known [0, 1, 2]")
        _ = state.takeRows(0)
        state.blocks.isRunning = false
        state.giveBack(.known([0, 1, 2]))
        #expect(state.blocks.waiting.all == [0, 1, 2] && state.blocks.late.isEmpty)
        work = state.takesWhole()
        #expect(told(work) == "known [1, 2]")
        state.blocks.isRunning = false
        work = state.takesQuiet()
        #expect(told(work) == "blocks [0]")
        finish(work, in: &state)
        state.giveBack(.known([1, 2]))
        #expect(Set(state.blocks.late.keys) == [1, 2] && state.recent.bytes == 0)
    }

    /// Exchanges of so many kilobytes end.
    private func end(_ ids: [ExchangeID], of kilobytes: Int, in state: inout SearchIndexer.State) {
        state.blocks.noteWrite()
        state.keep(ids.map { row($0, kilobytes: kilobytes) })
        for id in ids { state.add(id) }
    }

    /// A step is made to its end; returns whether a rest begins.
    @discardableResult
    private func finish(_ work: SearchIndexer.Work?, in state: inout SearchIndexer.State) -> Bool {
        guard let work else { return false }
        for index in work.blocks { _ = state.takeRows(index) }
        state.note(work.blocks, of: work)
        state.blocks.isRunning = false
        return state.beginRest(after: work, since: 0)
    }

    private func told(_ work: SearchIndexer.Work?) -> String {
        switch work {
        case .blocks(let blocks): "blocks \(blocks)"
        case .known(let blocks): "known \(blocks)"
        case .late(let blocks): "late \(blocks)"
        case .group(let group): "group \(group)"
        case nil: "nothing"
        }
    }

    @Test("What ends behind its block, or behind a part of it, is not held")
    func late() {
        var state = SearchIndexer.State(IndexingState(capacity: SearchBlock.capacity, next: 2, last: 70, partial: 66))
        state.keep([row(3), row(66), row(67)])
        #expect(state.recent.bytes == 0)
        state.keep([row(97)])
        #expect(state.takeRows(3).map(\.line.id) == [97])
    }

    /// An exchange of a megabyte, or of so many kilobytes.
    private func row(_ id: ExchangeID, kilobytes: Int = 1_024) -> SearchedRow {
        var exchange = Exchange.plain()
        exchange.request.head = ByteBuffer(string: String(repeating: "a", count: kilobytes << 10))
        let nothing = StoredBody(id: nil, kept: 0)
        return SearchedRow(exchange, id: id, bodies: (nothing, nothing), tails: (ByteBuffer(), ByteBuffer()))
    }

    @Test("They are held up to a bound; a block that lacks one for it is read, and what was given away makes room")
    func bound() {
        var recent = RecentRows()
        for id in 1...64 as ClosedRange<ExchangeID> { recent.add(row(id)) }
        #expect(recent.bytes == 0 && recent.take(0).isEmpty && recent.take(1).isEmpty)
        for id in (65...72 as ClosedRange<ExchangeID>).reversed() { recent.add(row(id)) }
        #expect(recent.bytes > 8 << 20 && !recent.isFilling, "No block is whole")
        for id in 97...110 as ClosedRange<ExchangeID> { recent.add(row(id)) }
        #expect(recent.bytes <= RecentRows.limitBytes && recent.take(3).isEmpty)
        #expect(recent.take(2).map(\.line.id) == Array(65...72))
        #expect(recent.bytes == 0)
        recent.add(row(1))
        recent.add(row(129))
        #expect(recent.take(0).isEmpty && recent.take(4).count == 1)
    }
    @Test("Where half is filled, blocks that lack one give up theirs, but for the begun one, and stay without")
    func holes() {
        var recent = RecentRows()
        for id in 1...31 as ClosedRange<ExchangeID> { recent.add(row(id, kilobytes: 128)) }
        for id in 33...65 as ClosedRange<ExchangeID> { recent.add(row(id, kilobytes: 32)) }
        recent.dropHoles()
        #expect(!recent.isFilling && recent.whole == [1])
        let held = recent.bytes
        for id in 66...80 as ClosedRange<ExchangeID> { recent.add(row(id, kilobytes: 256)) }
        #expect(recent.isFilling)
        recent.dropHoles()
        #expect(!recent.isFilling && recent.bytes < held + (15 * 257 << 10) - (31 * 128 << 10))
        let dropped = recent.bytes
        recent.add(row(32))
        #expect(recent.bytes == dropped, "All its exchanges are read")
        var taken = recent.take(1)
        #expect(taken.count == 32 && recent.whole.isEmpty)
        taken = recent.take(2)
        #expect(taken.map(\.line.id) == Array(65...80) && recent.bytes == 0)
    }
}
