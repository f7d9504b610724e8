package import Archive
package import Traffic

/// Writes exchanges one after the other in a file format, with no more than a piece of a body in memory.
package struct Exporter {
    /// Messages of a stream that are read at a time.
    private static let pageMessages = 100

    /// The exchanges that an export could not write, or not so that they can be read again.
    package struct Shortfall: Hashable, Sendable {
        /// Exchanges that have no place in the format and were left out; exchanges outside a HAR's scope are not counted.
        package var leftOut: Int
        /// Exchanges that are longer than an import reads, so that a part of their bodies or messages was left out.
        package var shortened: [ExchangeID]
        /// Exchanges that are longer than an import reads even without bodies and messages, so that an import would leave them out.
        package var overlong: Int

        package init(leftOut: Int = 0, shortened: [ExchangeID] = [], overlong: Int = 0) {
            (self.leftOut, self.shortened, self.overlong) = (leftOut, shortened, overlong)
        }

        mutating func count(_ measure: EntryMeasure) { (shortened, overlong) = (measure.shortened, measure.overlong) }
    }

    private let store: TrafficStore
    private let scope: HAR.Scope
    private let creatorVersion: String
    private let redactor: Redactor?
    private let remedyWords: TLSRemedy.Words?
    private let refusalWords: ExchangeJSON.RefusalWords?
    private let measure: EntryMeasure
    private let progress: ((_ done: Int64, _ whole: Int64) -> Void)?

    /// - Parameters:
    ///   - store: where the exchanges are.
    ///   - scope: the exchanges that a HAR has.
    ///   - creatorVersion: the release of `inspect` that the file names.
    ///   - redactor: masks secrets on the way; `nil` leaves everything as it is.
    ///   - remedyWords: the words for what mends a failed handshake; `nil` writes no command.
    ///   - refusalWords: the words for what lifts a refusal; `nil` writes no remedy for one.
    ///   - measure: what an import reads of an exchange; bodies and messages are cut to it.
    ///   - progress: is told how many steps are done, and of how many: one for each exchange, two where secrets are masked.
    package init(
        store: TrafficStore,
        scope: HAR.Scope,
        creatorVersion: String,
        redactor: Redactor?,
        remedyWords: TLSRemedy.Words?,
        refusalWords: ExchangeJSON.RefusalWords? = nil,
        measure: EntryMeasure = EntryMeasure(),
        progress: ((_ done: Int64, _ whole: Int64) -> Void)? = nil
    ) {
        (self.store, self.scope, self.creatorVersion) = (store, scope, creatorVersion)
        (self.redactor, self.remedyWords, self.refusalWords) = (redactor, remedyWords, refusalWords)
        (self.measure, self.progress) = (measure, progress)
    }

    /// Writes a whole file.
    ///
    /// - Parameters:
    ///   - ids: the exchanges, in the order to write; exchanges that are gone meanwhile are left out.
    ///   - format: what to write.
    ///   - write: takes the next bytes.
    /// - Returns: the exchanges that could not be written, or not so that they can be read again.
    /// - Throws: `StoreError`, and what `write` throws.
    package func write(
        _ ids: [ExchangeID],
        as format: ExportFormat,
        to write: ([UInt8]) throws -> Void
    ) throws -> Shortfall {
        // A secret that a later exchange names may stand in an earlier exchange.
        let steps = redactor == nil ? ids.count : ids.count * 2
        if let redactor {
            for (index, id) in ids.enumerated() {
                progress?(Int64(index + 1), Int64(steps))
                // There are no bytes yet; the caller that watches the progress may break the export off here.
                try write([])
                guard let record = try store.record(id) else { continue }
                try redactor.learn(record, source: store.body) { id, number in
                    try store.messages(of: id, after: number, limit: Exporter.pageMessages)
                }
            }
        }
        var rest = ids[...]
        func next() throws -> ExchangeRecord? {
            while let id = rest.popFirst() {
                progress?(Int64(steps - rest.count), Int64(steps))
                if let record = try store.record(id) {
                    return try redactor?.redact(record, source: store.body) ?? record
                }
            }
            return nil
        }
        var shortfall = Shortfall()
        switch format {
        case .har:
            shortfall.count(
                try HAR.write(
                    creatorVersion: creatorVersion,
                    scope: scope,
                    measure: measure,
                    source: body,
                    messages: messages,
                    next: next,
                    to: write
                )
            )
        case .jsonl:
            var (json, measure) = (JSONWriter(), self.measure)
            while let record = try next() {
                try entry(record, &json, &measure, to: write)
                json.newline()
                try write(json.take())
            }
            shortfall.count(measure)
        case .json:
            shortfall.count(try object(next, to: write))
        case .raw:
            try raw(next, to: write)
        case .csv:
            try write(CSVTable.heading)
            while let record = try next() { try write(CSVTable.line(record.summary)) }
        case .curl: shortfall.leftOut = try scripts(CurlCommand(), next, to: write)
        case .httpie: shortfall.leftOut = try scripts(HTTPieCommand(), next, to: write)
        case .python: shortfall.leftOut = try scripts(PythonScript(), next, to: write)
        case .swift: shortfall.leftOut = try scripts(SwiftScript(), next, to: write)
        case .javascript: shortfall.leftOut = try scripts(JavaScriptModule(), next, to: write)
        case .postman: shortfall.leftOut = try scripts(PostmanCollection(), next, to: write)
        }
        return shortfall
    }

    /// Writes every request that can be sent again; returns how many cannot.
    private func scripts(
        _ script: some RequestScript,
        _ next: () throws -> ExchangeRecord?,
        to write: ([UInt8]) throws -> Void
    ) throws -> Int {
        var written = 0
        var leftOut = 0
        try write(Array(script.beginning.utf8))
        while let record = try next() {
            if let request = try SentRequest(record, source: body) {
                try script.write(request, isFirst: written == 0, to: write)
                written += 1
            } else {
                leftOut += 1
            }
        }
        try write(Array(script.ending.utf8))
        return leftOut
    }

    private func raw(_ next: () throws -> ExchangeRecord?, to write: ([UInt8]) throws -> Void) throws {
        let messages = RawMessages(source: body)
        while let record = try next() { try messages.write(record, to: write) }
    }

    private func messages(of id: ExchangeID, after number: Int64) throws -> [StreamMessage] {
        let page = try store.messages(of: id, after: number, limit: Exporter.pageMessages)
        return redactor.map { page.map($0.message) } ?? page
    }

    private func body(_ id: ExchangeID, _ side: MessageSide, _ offset: Int64, _ limitBytes: Int) throws -> [UInt8] {
        guard let redactor else { return try store.body(id, side, offset: offset, limitBytes: limitBytes) }
        return try redactor.body(id, side, offset, limitBytes, source: store.body)
    }

    private func exchange(_ record: ExchangeRecord) throws -> ExchangeJSON {
        ExchangeJSON(
            record,
            remedyWords: remedyWords,
            refusalWords: refusalWords,
            isFailureImported: try store.isFailureImported(record.exchange)
        )
    }

    /// Writes one exchange as JSON.
    private func entry(
        _ record: ExchangeRecord,
        _ json: inout JSONWriter,
        _ measure: inout EntryMeasure,
        to write: ([UInt8]) throws -> Void
    ) throws {
        let exchange = try exchange(record)
        try measure.entry(&json, record.exchange.id, exchange.contents(body), source: body) { json, contents in
            try exchange.write(contents, to: &json, source: body, messages: messages) { try write($0.take()) }
        }
    }

    /// Writes one object that holds every exchange; returns the measure, which has counted those that were cut or are too long for an import.
    private func object(
        _ next: () throws -> ExchangeRecord?,
        to write: ([UInt8]) throws -> Void
    ) throws -> EntryMeasure {
        var (json, measure) = (JSONWriter(), self.measure)
        try json.object { json in
            json.object("creator") { json in
                json.string("name", "inspect")
                json.string("version", creatorVersion)
            }
            try json.array("exchanges") { json in
                while let record = try next() {
                    try entry(record, &json, &measure, to: write)
                    try write(json.take())
                }
            }
        }
        json.newline()
        try write(json.take())
        return measure
    }
}
