import Foundation
import Lenses
import Store
import Traffic

/// Learns an OpenAPI document from the exchanges of a store, one at a time.
struct OpenAPIInference {
    let store: TrafficStore

    /// Writes what the selected exchanges teach to a file, or to standard output, and says how much that was.
    ///
    /// - Throws: `InputError` when there is no exchange to learn from, or the file cannot be written.
    func write(_ selection: CheckSelection, _ options: OpenAPIExportOptions, to output: String?) throws {
        let learner = try learner(of: selection.filter)
        guard learner.count > 0 else { throw InputError("no exchange to learn from: \(selection.title)") }
        let document = learner.document(title: options.title ?? OpenAPILearner.usualTitle)
        let bytes = try OpenAPIInference.bytes(of: document, asYAML: options.yaml)
        if let output {
            let file = try OutputFile(named: output, mode: 0o644)
            try file.write(bytes)
            try file.finish()
        } else {
            let console = Console()
            try console.write(bytes)
            try console.flush()
        }
        for line in learner.notes(on: document) { Console.remark("inspect: \(line)") }
    }

    /// What the exchanges that a filter selects teach, oldest first.
    private func learner(of filter: Filter) throws -> OpenAPILearner {
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
    private static func bytes(of document: JSONValue, asYAML: Bool) throws -> [UInt8] {
        if asYAML { return Array(try OpenAPIFile.yaml(document).utf8) }
        return JSONWriter.bytes(isIndented: true) { json in
            json.value(nil, document)
            json.newline()
        }
    }
}
