import Foundation
import Lenses
import Store
import Traffic

/// Learns an OpenAPI document from the exchanges of a store, one at a time.
struct OpenAPIInference {
    let store: TrafficStore

    /// What the exchanges that a filter selects teach, oldest first.
    func learner(of filter: Filter) throws -> OpenAPILearner {
        var learner = OpenAPILearner()
        let progress = Progress()
        defer { progress.clear() }
        try ExchangeReader(store).each(filter) { row in
            progress.tell(Int64(learner.count), of: nil, "learn")
            guard let exchange = try store.exchange(row.id) else { return }
            learner.add(try Capture(ExchangeRecord(exchange: exchange, summary: row), source: store.body))
        }
        return learner
    }

    /// A document as the text of a file.
    static func bytes(of document: JSONValue, asYAML: Bool) throws -> [UInt8] {
        if asYAML { return Array(try OpenAPIFile.yaml(document).utf8) }
        var json = JSONWriter(isIndented: true)
        json.value(nil, document)
        json.newline()
        return json.take()
    }

    /// What was learnt, and what was left out, a sentence each.
    static func notes(_ learner: OpenAPILearner, _ document: JSONValue) -> [String] {
        let measure = OpenAPILearner.measure(document)
        func count(_ number: Int, _ what: String) -> String { "\(number) \(what)\(number == 1 ? "" : "s")" }
        var notes = [
            "\(count(measure.paths, "path")) and \(count(measure.operations, "operation")) from \(count(learner.count, "exchange"))"
        ]
        if learner.leftOutCount > 0 {
            notes.append(
                "\(count(learner.leftOutCount, "exchange")) left out: tunnels, WebSockets, unreadable requests, other methods"
            )
        }
        if learner.isFull { notes.append("there was more to learn than is kept: parts of the document are left open") }
        return notes
    }
}
