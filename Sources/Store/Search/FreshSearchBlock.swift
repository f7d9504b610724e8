import GRDB
import NIOCore
import Traffic

/// Makes a search block from rows.
struct FreshSearchBlock {
    /// The facts that decide the text of a body's bytes, so that a body that several exchanges share is read once.
    private struct BodyFacts: Equatable {
        var type: ExactText?
        var codings: [String]
        var archived: ArchivedBody?
    }

    /// The text of a body that was read.
    private struct KnownBody {
        var facts: BodyFacts
        var text: UInt16?
        var isLarge: Bool
        var isCut: Bool
    }

    private(set) var block: SearchBlock
    /// Whether there is an exchange of its numbers, open or not.
    private var hasExchanges = false
    /// The bodies that were read, by their numbers; most have one text.
    private var bodies: [BodyID: [KnownBody]] = [:]
    /// What the types of bodies say, by the values of their fields.
    private var kinds: [ExactText?: BodyText.Kind] = [:]
    /// The folded start of a URL, and the line that has it: most often the next line has the same.
    private var start: (line: ExchangeSummary, folded: [UInt8])?
    private var scratch: [UInt8] = []

    /// Makes a block of the ended exchanges among its ids.
    ///
    /// - Parameters:
    ///   - index: the block's place.
    ///   - rows: those of its exchanges that have ended and are known, ascending; where they are all, none is read.
    ///   - mask: one bit for each exchange that may be settled; the others count as open, as when an earlier block was made.
    ///   - db: where.
    /// - Throws: what SQLite says.
    init(index: Int64, known rows: [SearchedRow] = [], settling mask: UInt32 = .max, in db: Database) throws {
        block = SearchBlock(index: index)
        guard rows.count < Int(SearchBlock.capacity) else {
            (block.settled, hasExchanges) = (.max, true)
            for (offset, row) in rows.enumerated() { try add(row, UInt8(truncatingIfNeeded: offset), in: db) }
            return
        }
        let last = try TrafficStore.lastID(in: db)
        let first = SearchBlock.firstID(of: index)
        for offset in 0..<SearchBlock.capacity where first + offset <= last { block.settled |= 1 << UInt32(offset) }
        block.settled &= mask
        var row = try RawStatement(SearchedRow.selection, on: db)
        defer { row.reset() }
        row.bind(first)
        row.bind(SearchBlock.lastID(of: index))
        while try row.step() {
            hasExchanges = true
            let exchange = SearchedRow(&row)
            let offset = UInt8(truncatingIfNeeded: exchange.line.id - first)
            if exchange.line.outcome == .pending {
                block.settled &= ~(1 << UInt32(offset))
            } else if block.settled >> UInt32(offset) & 1 == 1 {
                try add(exchange, offset, in: db)
            }
        }
    }

    /// Deletes the blocks of exchanges, within the transaction that deletes the exchanges, so that no word of them is left.
    static func remove(_ blocks: Set<Int64>, in db: Database) throws {
        var block = try RawStatement("DELETE FROM search_block WHERE id = ?", on: db)
        for index in blocks {
            block.bind(index)
            try block.run()
        }
        for group in Set(blocks.map(SearchBlock.group)) { try FreshSearchGroup.remove(group, in: db) }
    }

    private mutating func add(_ exchange: SearchedRow, _ offset: UInt8, in db: Database) throws {
        var entry = SearchBlock.Entry(offset: offset)
        insertURLs(of: exchange.line, &entry)
        for side in MessageSide.allCases {
            guard let message = exchange.message(side) else { continue }
            let fields = message.message.fields
            insert(fields, .header(side), &entry)
            if let trailers = message.message.trailers {
                insert(HeaderList(trailers: trailers), .header(side), &entry)
            }
            // The bytes of a WebSocket are frames; its messages are the text.
            if exchange.line.version != .webSocket {
                try insertBody(side, of: message, fields, &entry, in: db)
            }
        }
        if exchange.hasStream { try insertMessages(of: exchange.line.id, &entry, in: db) }
        block.entries.append(entry)
    }

    private mutating func insertURLs(of line: ExchangeSummary, _ entry: inout SearchBlock.Entry) {
        if !(start?.line.sharesURLStart(with: line) ?? false) { start = (line, TextFold.bytes(line.urlStart)) }
        scratch.removeAll(keepingCapacity: true)
        scratch += start?.folded ?? []
        insertURL(behind: line.target, &entry)
        guard let decoded = line.decodedURL else { return }
        scratch.removeAll(keepingCapacity: true)
        insertURL(behind: decoded, &entry)
    }

    /// Inserts a URL of which `scratch` holds the start.
    private mutating func insertURL(behind rest: String, _ entry: inout SearchBlock.Entry) {
        var rest = rest
        rest.withUTF8 { TextFold.append(UnsafeRawBufferPointer($0), to: &scratch) }
        insert(scratch, .url, &entry)
    }

    private mutating func insert(_ text: [UInt8], _ part: SearchPart, _ entry: inout SearchBlock.Entry) {
        guard entry.large >> UInt8(part.rawValue) & 1 == 0 else { return }
        if let number = block.sections[part.section.rawValue].insert(text) {
            entry.texts[part.rawValue].append(number)
        } else {
            entry.large |= 1 << UInt8(part.rawValue)
        }
    }

    private mutating func insert(_ fields: HeaderList, _ part: SearchPart, _ entry: inout SearchBlock.Entry) {
        for position in fields.spans.indices {
            scratch.removeAll(keepingCapacity: true)
            fields.appendFoldedLine(at: position, to: &scratch)
            insert(scratch, part, &entry)
        }
    }

    private mutating func insertBody(
        _ side: MessageSide,
        of message: SearchedRow.Side,
        _ fields: HeaderList,
        _ entry: inout SearchBlock.Entry,
        in db: Database
    ) throws {
        guard message.message.body.length > 0, let body = message.body else { return }
        let part = SearchPart.body(side)
        let facts = BodyFacts(
            type: fields.first("Content-Type").map { ExactText($0) },
            codings: message.message.codings(in: fields),
            archived: message.message.body.archived
        )
        let known: KnownBody
        if let read = bodies[body]?.first(where: { $0.facts == facts }) {
            known = read
        } else {
            known = try read(message, body, facts, in: db)
            bodies[body, default: []].append(known)
        }
        if let text = known.text { entry.texts[part.rawValue].append(text) }
        if known.isLarge { entry.large |= 1 << UInt8(part.rawValue) }
        if known.isCut { entry.cut |= 1 << UInt8(part.rawValue) }
    }

    private mutating func read(
        _ side: SearchedRow.Side,
        _ body: BodyID,
        _ facts: BodyFacts,
        in db: Database
    ) throws -> KnownBody {
        var (isText, isLarge, isCut) = (false, false, false)
        var place: BodyPlace?
        let kind = kinds[facts.type] ?? BodyText.Kind(facts.type?.text)
        kinds[facts.type] = kind
        let number = try block.sections[SearchPart.Section.bodies.rawValue].append { bytes in
            let start = bytes.count
            isCut = try BodyText.read(side.message, kind, codings: facts.codings) { offset, limit in
                if let all = side.bytes { return offset == 0 ? Array(all.readableBytesView) : [] }
                return try BodyVault.read(body, offset: offset, limitBytes: limit, from: &place, in: db)
            } _: { piece in
                isText = true
                if !isLarge { TextFold.append(piece, to: &bytes) }
                if bytes.count - start > SearchBlock.partLimitBytes {
                    isLarge = true
                    bytes.removeLast(bytes.count - start)
                }
                // The body is read to its end, to know whether its text is cut.
                return true
            }
            return isText && !isLarge
        }
        return KnownBody(facts: facts, text: number, isLarge: isText && number == nil, isCut: isCut)
    }

    private mutating func insertMessages(
        of exchange: ExchangeID,
        _ entry: inout SearchBlock.Entry,
        in db: Database
    ) throws {
        var last: Int64 = 0
        var bytes = 0
        while true {
            let page = try MessageRow.read(
                of: exchange,
                after: last,
                limit: StoredSubject.pageMessages,
                payloadBytes: .max,
                in: db
            )
            guard let end = page.last, end.number > last else { return }
            last = end.number
            for message in page {
                scratch.removeAll(keepingCapacity: true)
                var text = message.searchableText
                text.withUTF8 { TextFold.append(UnsafeRawBufferPointer($0), to: &scratch) }
                bytes += scratch.count
                if bytes > SearchBlock.partLimitBytes { entry.large |= 1 << UInt8(SearchPart.message.rawValue) }
                insert(scratch, .message, &entry)
                guard entry.large >> UInt8(SearchPart.message.rawValue) & 1 == 0 else {
                    return entry.texts[SearchPart.message.rawValue] = []
                }
            }
        }
    }

    /// The block as it is written down.
    var written: Written {
        Written(
            index: block.index,
            hasExchanges: hasExchanges,
            settled: block.settled,
            places: block.encodedPlaces(),
            sections: block.sections.map(\.bytes)
        )
    }

    /// A block ready to be written.
    struct Written: Sendable, Equatable {
        let index: Int64
        let hasExchanges: Bool
        let settled: UInt32
        let places: ByteBuffer
        let sections: [[UInt8]]

        /// Bytes that it takes.
        var bytes: Int { sections.reduce(places.readableBytes) { $0 + $1.count } }

        /// Writes the block in the place of an earlier one, or deletes that where no exchange is left; its group's filter no longer holds.
        func write(in db: Database) throws {
            guard hasExchanges else { return try FreshSearchBlock.remove([index], in: db) }
            try FreshSearchGroup.remove(SearchBlock.group(of: index), in: db)
            var row = try RawStatement(
                """
                INSERT OR REPLACE INTO search_block (id, layout, settled, places, urls, lines, messages, bodies)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
                on: db
            )
            row.bind(index)
            row.bind(SearchBlock.layout)
            row.bind(Int64(settled))
            row.bind(places)
            for section in [SearchPart.Section.urls, .lines, .messages, .bodies] {
                row.bind(blob: sections[section.rawValue])
            }
            try row.run()
        }
    }
}
