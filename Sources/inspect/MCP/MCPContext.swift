import Foundation
import Store
import Traffic

/// What the tools work on: a store, opened anew for each call, and what their results are allowed to tell.
final class MCPContext {
    let store: StoreOptions
    /// Masks secrets; `nil` where they are shown.
    let redactor: Redactor?
    /// Bytes of a result.
    private let resultLimitBytes: Int

    /// Exchanges whose secrets are learnt before a result that may quote them is masked.
    private static let learntLimit = 200

    init(store: StoreOptions, redactor: Redactor?, resultLimitBytes: Int) {
        (self.store, self.redactor, self.resultLimitBytes) = (store, redactor, resultLimitBytes)
    }

    /// What an agent has to know before it calls anything.
    var instructions: String {
        """
        HTTP(S) traffic that the inspect proxy recorded. Every tool takes the same query text: key:value terms joined by AND, commas inside a value are OR, - negates, \
        ( or ) groups, words and "phrases" search targets, fields and bodies. Keys: code (404, 5xx, >=400, failed, pending, tunnelled) method scheme host port path url \
        query type header reqheader resheader body reqbody resbody size reqsize time since before version client process lens session tag note is id. Begin with filter \
        (counts by category), narrow the query, then show one exchange by its id. \
        \(redactor == nil ? "Secrets are shown as they were recorded." : "Secrets are placeholders such as <token:3f2a>, the same for the same secret.")
        """
    }

    /// The filter of a query text, saved searches (`@NAME`) put in.
    ///
    /// - Throws: `FilterError` naming the column and what was expected.
    func filter(_ query: String?, in store: TrafficStore) throws -> Filter {
        let text = try SavedSearch.expanded(query ?? "") { name in
            try store.savedSearches().first { $0.name == name }?.query
        }
        return try FilterParser.parse(text, now: Moment.microseconds(Date()))
    }

    /// A result as text within the limit, secrets masked in every string of it.
    func text(_ value: JSONValue) -> String {
        var json = JSONWriter()
        json.value(nil, ResultFit(limitBytes: resultLimitBytes).fitted(redactor == nil ? value : masked(value)))
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// An error as a sentence that says what to do.
    func complaint(_ error: any Error) -> String {
        let text: String
        switch error {
        case let error as FilterError:
            text = ([error.description] + error.pointer).joined(separator: "\n")
        default: text = "\(error)"
        }
        return redactor?.masked(text) ?? text
    }

    /// Gets to know the secrets of the exchanges that a result names, so that they are masked wherever it quotes them.
    ///
    /// - Throws: `StoreError`.
    func learn(from value: JSONValue, in store: TrafficStore) throws {
        guard let redactor else { return }
        var ids: Set<ExchangeID> = []
        MCPContext.collect(value, &ids)
        for id in ids.sorted().prefix(MCPContext.learntLimit) {
            if let record = try store.record(id) { _ = try redactor.redact(record, source: store.body) }
        }
    }

    private static func collect(_ value: JSONValue, _ ids: inout Set<ExchangeID>) {
        switch value {
        case .object(let members):
            for member in members {
                if ["id", "before", "after", "replayOf", "left", "right", "original"].contains(member.name),
                    let id = member.value.integer, id > 0
                {
                    ids.insert(id)
                } else {
                    collect(member.value, &ids)
                }
            }
        case .array(let elements): for element in elements { collect(element, &ids) }
        default: break
        }
    }

    private func masked(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): .string(redactor?.masked(text) ?? text)
        case .array(let elements): .array(elements.map(masked))
        case .object(let members): .object(members.map { ($0.name, masked($0.value)) })
        default: value
        }
    }
}
