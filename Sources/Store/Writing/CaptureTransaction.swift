import GRDB
import NIOCore
import Traffic

/// Writes the events of one transaction as rows; it runs in `WriterMemory.transaction`, which can take back its changes of the memory.
struct CaptureTransaction {
    /// The summaries of the rows written, when someone follows the changes.
    private(set) var summaries: [ExchangeSummary] = []
    /// Ids of the exchanges that ended, in order.
    private(set) var ended: [ExchangeID] = []
    /// The rows of exchanges that ended, as they are searched, when someone makes blocks of them.
    private(set) var rows: [SearchedRow] = []

    private let db: Database
    private let collectsSummaries: Bool
    private let collectsRows: Bool
    private var row: RawStatement
    private var opening: RawStatement
    private var closing: RawStatement
    private var connections: ConnectionRow
    private var vault: BodyVault
    private var messages: MessageRow
    private var importing: RawStatement
    private let classifier: (any ExchangeClassifier)?
    /// Reads the first bytes of a body that are not in this file.
    private let earlierStart: ((StoredBody) throws -> [UInt8])?

    init(
        _ db: Database,
        bodyLimitBytes: Int64,
        collectsSummaries: Bool,
        collectsRows: Bool = false,
        classifier: (any ExchangeClassifier)?,
        earlierStart: ((StoredBody) throws -> [UInt8])? = nil
    ) throws {
        self.db = db
        self.earlierStart = earlierStart
        self.collectsRows = collectsRows
        self.classifier = classifier
        self.collectsSummaries = collectsSummaries
        row = try RawStatement(ExchangeRow.insertion, on: db)
        opening = try RawStatement("INSERT INTO open_exchange (id) VALUES (?)", on: db)
        closing = try RawStatement("DELETE FROM open_exchange WHERE id = ?", on: db)
        connections = try ConnectionRow(db)
        vault = try BodyVault(db, limitBytes: bodyLimitBytes)
        messages = try MessageRow(db)
        importing = try RawStatement(
            "UPDATE archive_import SET count = count + 1, first = coalesce(first, ?1), last = ?1 WHERE id = ?2",
            on: db
        )
    }

    /// Writes batches; the ids of the exchanges that ended in each.
    mutating func apply(_ batches: [CaptureBatch], _ memory: inout WriterMemory) throws -> [[ExchangeID]] {
        try batches.map { batch in
            let before = ended.count
            for event in batch.events { try apply(event, &memory) }
            return Array(ended[before...])
        }
    }

    /// Writes an event.
    mutating func apply(_ event: ExchangeEvent, _ memory: inout WriterMemory) throws {
        switch event {
        case .opened(let token, let exchange), .changed(let token, let exchange): try update(token, exchange, &memory)
        case .body(let token, let side, let bytes): try append(bytes, token, side, &memory)
        case .message(let token, let message): try append(message, token, &memory)
        case .ended(let token, let exchange, let request, let response):
            try end(token, exchange, request: request, response: response, &memory)
        case .imported(let number, let imported): try take(imported, number, &memory)
        }
    }

    /// Closes the row of an exchange whose end could not be written, and tells followers, as for any exchange that ends.
    mutating func closeUnrecorded(_ id: ExchangeID) throws {
        try BrokenOffExchange(id: id).closeUnrecorded(in: db)
        ended.append(id)
        if collectsSummaries, let summary = try ExchangeQuery.summary(id, in: db) { summaries.append(summary) }
    }

    // MARK: an open exchange

    private mutating func update(_ token: CaptureToken, _ exchange: Exchange, _ memory: inout WriterMemory) throws {
        var open = memory.open[token] ?? WriterMemory.OpenExchange()
        let isNew = open.row == nil
        let id = open.row ?? memory.nextID
        if isNew {
            try enter(memory.session, exchange, &memory)
            memory.nextID += 1
            open.row = id
            opening.bind(id)
            try opening.run()
        }
        memory.open[token] = open
        let request = StoredBody(
            id: open.request.chunks > 0 ? BodyVault.body(of: id, .request) : nil,
            kept: open.request.bytes
        )
        let response = StoredBody(
            id: open.response.chunks > 0 ? BodyVault.body(of: id, .response) : nil,
            kept: open.response.bytes
        )
        try write(exchange, id: id, request: request, response: response, isKnown: !isNew, &memory)
    }

    private mutating func append(
        _ bytes: ByteBuffer,
        _ token: CaptureToken,
        _ side: MessageSide,
        _ memory: inout WriterMemory
    ) throws {
        guard var open = memory.open[token], !open[side].isBroken else { return }
        guard let id = open.row else {
            // Its row could not be written, so there is nothing to join these bytes to.
            memory.open[token]?[side].isBroken = true
            return
        }
        try vault.append(bytes, to: &open[side], id: BodyVault.body(of: id, side))
        memory.open[token] = open
    }

    private mutating func append(
        _ message: StreamMessage,
        _ token: CaptureToken,
        _ memory: inout WriterMemory
    ) throws {
        guard var open = memory.open[token] else { return }
        if let id = open.row, try messages.write(message, number: open.messages + 1, of: id) {
            open.messages += 1
        } else {
            open.lostMessages += 1
        }
        memory.open[token] = open
    }

    // MARK: an ended exchange

    private mutating func end(
        _ token: CaptureToken,
        _ exchange: Exchange,
        request: ByteBuffer,
        response: ByteBuffer,
        _ memory: inout WriterMemory
    ) throws {
        // A short exchange was never opened: nothing to look up.
        let open = memory.open.isEmpty ? nil : memory.open[token]
        if open != nil { memory.open[token] = nil }
        let id = open?.row ?? memory.nextID
        if open?.row == nil {
            try enter(memory.session, exchange, &memory)
            memory.nextID += 1
        } else {
            closing.bind(id)
            try closing.run()
        }
        // Bytes that would not follow on the stored ones are not kept.
        let tails = (
            request: open?.request.isBroken == true ? ByteBuffer() : request,
            response: open?.response.isBroken == true ? ByteBuffer() : response
        )
        let kept = (
            request: try vault.finish(
                exchange.request.body,
                tail: tails.request,
                open: open?.request ?? OpenBody(),
                id: BodyVault.body(of: id, .request),
                &memory.bodies
            ),
            response: try vault.finish(
                exchange.response?.body ?? Body(),
                tail: tails.response,
                open: open?.response ?? OpenBody(),
                id: BodyVault.body(of: id, .response),
                &memory.bodies
            )
        )
        try write(
            exchange,
            id: id,
            request: kept.request,
            response: kept.response,
            warnings: open?.warnings ?? [],
            isKnown: open?.row != nil,
            tails: tails,
            &memory
        )
        ended.append(id)
        if collectsRows { rows.append(SearchedRow(exchange, id: id, bodies: kept, tails: tails)) }
    }

    // MARK: an exchange from an archive

    private mutating func take(_ imported: ImportedExchange, _ number: Int64, _ memory: inout WriterMemory) throws {
        var exchange = imported.exchange
        let next = memory.nextID
        let given = memory.imports.change(number) { numbers in
            exchange.replayOf = exchange.replayOf.flatMap { numbers.original($0) }
            return numbers.give(exchange.id, next: next)
        }
        guard let id = given else { return }
        memory.nextID = id
        try enter(imported.session, exchange, &memory)
        memory.nextID = id + 1
        try MarkRow.write(imported.marks, of: id, in: db)
        func finish(_ body: Body, _ bytes: ByteBuffer, _ side: MessageSide) throws -> StoredBody {
            try vault.finish(
                body,
                tail: bytes,
                open: OpenBody(),
                id: BodyVault.body(of: id, side),
                &memory.bodies,
                // The digest of a whole body was computed from its bytes; any other digest is only the archive's word.
                isShared: body.archived == nil && !body.isTruncated
            )
        }
        let request = try finish(exchange.request.body, imported.requestBody, .request)
        let response = try finish(exchange.response?.body ?? Body(), imported.responseBody, .response)
        for (index, message) in imported.messages.enumerated() {
            guard try messages.write(message, number: Int64(index) + 1, of: id) else { break }
        }
        try write(
            exchange,
            id: id,
            request: request,
            response: response,
            isKnown: true,
            session: imported.session,
            clientName: imported.clientName,
            tails: (imported.requestBody, imported.responseBody),
            &memory
        )
        importing.bind(id)
        importing.bind(number)
        try importing.run()
        // The exchange has its place for good, also where it was open when the archive was written.
        ended.append(id)
    }

    private mutating func write(
        _ exchange: Exchange,
        id: ExchangeID,
        request: StoredBody,
        response: StoredBody,
        warnings: [String] = [],
        isKnown: Bool,
        session: String?? = nil,
        clientName: String?? = nil,
        tails: (request: ByteBuffer, response: ByteBuffer) = (ByteBuffer(), ByteBuffer()),
        _ memory: inout WriterMemory
    ) throws {
        var classification = ExchangeClass()
        if exchange.outcome != .pending {
            // The closure holds the database alone: copying the whole transaction would cost as much as the work of the closure.
            let given = classifier?.classify(exchange) { [db, earlierStart] side in
                let (body, tail) = side == .request ? (request, tails.request) : (response, tails.response)
                let start = CaptureTransaction.start(of: body, tail: tail, in: db)
                return start.isEmpty && body.kept > 0 ? (try? earlierStart?(body)) ?? [] : start
            }
            if let given { classification = given }
        }
        // An archive names the client itself; the lens is ours to name.
        if let clientName { classification.client = clientName }
        let references = ExchangeRow.References(
            client: try connections.row(of: exchange.client, &memory.connections),
            upstream: try exchange.upstream.map { try connections.row(of: $0, &memory.connections) },
            request: request,
            response: response,
            classification: classification
        )
        try ExchangeRow.write(exchange, id: id, references: references, warnings: warnings, with: &row)
        if collectsSummaries {
            var summary = exchange.summary
            summary.id = id
            summary.clientName = classification.client
            summary.lens = classification.lens
            if !exchange.rules.isEmpty { summary.setRules(StoredRules.kept(of: exchange.rules)) }
            summary.session = session ?? memory.session
            // Only an exchange that was open before, or comes from an archive, can have marks.
            if isKnown { summary.marks = try MarkRow.read(id, in: db) }
            summaries.append(summary)
        }
    }

    /// The first kept bytes of a body that has ended: its tail is all of it, or they are in the store.
    private static func start(of body: StoredBody, tail: ByteBuffer, in db: Database) -> [UInt8] {
        if Int64(tail.readableBytes) == body.kept { return Array(tail.readableBytesView.prefix(BodyStart.limitBytes)) }
        // An unreadable body counts as an unknown one: the exchange is written all the same.
        return (try? BodyVault.start(of: body, in: db)) ?? []
    }

    /// Begins a stretch of rows with the next row, where its session is not the last row's.
    private func enter(_ session: String?, _ exchange: Exchange, _ memory: inout WriterMemory) throws {
        guard session != memory.lastSession else { return }
        try SessionRow.begin(session, at: memory.nextID, now: exchange.timeline.started, in: db)
        memory.lastSession = session
    }
}
