import Foundation
import Traffic

/// The meaning of a filter while it is typed: in English, as one query text, and term by term; or the place where it cannot be read.
struct FilterReading {
    private var filter: Filter?
    private var terms: [FilterTerm] = []
    private var error: FilterError?
    /// The place of the mistake in the query text, in UTF-16 code units from 0.
    private var errorOffset: Int?

    /// Reads the filter of an address as far as it can be read.
    ///
    /// - Parameters:
    ///   - items: the address's query; it names saved searches.
    ///   - saved: the saved searches that the names stand for.
    ///   - now: the moment that relative times count back from.
    init(_ items: QueryItems, saved: [SavedSearch], now: Date) {
        let text = items.first("q") ?? ""
        let moment = Moment.microseconds(now)
        func expanded(_ text: String) throws -> String {
            try SavedSearch.expanded(text, from: saved)
        }
        do {
            for term in try FilterParser.terms(text, now: moment) {
                errorOffset = term.range.lowerBound
                terms.append(try term.standing(for: expanded(term.text), now: moment))
            }
            errorOffset = nil
            filter = try Filter(items.mapping("q", expanded), now: now)
        } catch let error as FilterError {
            terms = []
            if let column = error.column, error.query == text {
                errorOffset = text.prefix(column - 1).utf16.count
            }
            self.error = error
        } catch {
            terms = []
            self.error = FilterError("the filter cannot be read")
        }
    }

    /// Writes the members of the answer: the sentence, the text and the terms, or the error and its place.
    func write(to json: inout JSONWriter) {
        json.string("sentence", filter?.sentence)
        json.string("text", filter?.text)
        json.array("terms") { json in
            for term in terms { json.object { term.write(to: &$0) } }
        }
        json.string("error", error?.description)
        json.integer("column", error?.column)
        json.integer("offset", error == nil ? nil : errorOffset)
    }
}

extension FilterTerm {
    /// The term with the meaning of its text once saved searches are put in; the term itself where it names none.
    fileprivate func standing(for expanded: String, now: Int64) throws -> FilterTerm {
        guard expanded != text else { return self }
        let meaning = try FilterParser.terms(expanded, now: now)
        return replacing(.allOf(meaning.map(\.condition)))
    }

    fileprivate func write(to json: inout JSONWriter) {
        json.string("text", text)
        json.integer("from", range.lowerBound)
        json.integer("to", range.upperBound)
        json.string("sentence", sentence)
        json.boolean("negated", isNegated)
        json.string("negation", negation)
        json.string("facet", facet?.name)
        json.array("parts") { json in
            for part in parts {
                json.object { json in
                    json.string("text", part.text)
                    json.string("value", part.value)
                }
            }
        }
    }
}
