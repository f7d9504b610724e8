import Store
import Traffic

/// Writes exchanges one after the other in a file format, with no more than a piece of a body in memory.
struct Exporter {
    let store: TrafficStore
    let scope: HAR.Scope

    /// Writes a whole file.
    ///
    /// - Parameters:
    ///   - ids: the exchanges, in the order to write; one that is gone meanwhile is left out.
    ///   - format: what to write.
    ///   - write: takes the next bytes.
    /// - Throws: `StoreError`, and what `write` throws.
    func write(_ ids: [ExchangeID], as format: ExportCommand.Format, to write: ([UInt8]) throws -> Void) throws {
        let reader = ExchangeReader(store)
        var rest = ids[...]
        func next() throws -> ExchangeRecord? {
            while let id = rest.popFirst() {
                if let record = try reader.find(id) { return record }
            }
            return nil
        }
        switch format {
        case .har:
            try HAR.write(
                creatorVersion: BuildVersion.text,
                scope: scope,
                source: store.body,
                messages: messages,
                next: next,
                to: write
            )
        case .jsonl:
            var json = JSONWriter()
            while let record = try next() {
                try ExchangeJSON(record).write(to: &json, source: store.body, messages: messages) {
                    try write($0.take())
                }
                json.newline()
                try write(json.take())
            }
        case .json:
            try object(next, to: write)
        }
    }

    private func messages(of id: ExchangeID, after number: Int64) throws -> [StreamMessage] {
        try store.messages(of: id, after: number, limit: MessageView.pageMessages)
    }

    private func object(_ next: () throws -> ExchangeRecord?, to write: ([UInt8]) throws -> Void) throws {
        var json = JSONWriter()
        try json.object { json in
            json.object("creator") { json in
                json.string("name", "inspect")
                json.string("version", BuildVersion.text)
            }
            try json.array("exchanges") { json in
                while let record = try next() {
                    try ExchangeJSON(record).write(to: &json, source: store.body, messages: messages) {
                        try write($0.take())
                    }
                    try write(json.take())
                }
            }
        }
        json.newline()
        try write(json.take())
    }
}
