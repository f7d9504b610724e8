import Foundation
import Traffic

/// What a request asks for of some content: a range, only what it has not (RFC 9110 §13), codings that it takes.
struct ContentRequest: Sendable {
    /// The method, case kept.
    let method: String
    let fields: HeaderList

    /// Whether the answer may be 304: the client says what it has.
    var isConditional: Bool { fields.contains("if-none-match") || fields.contains("if-modified-since") }

    /// Whether the client has what was recorded: by its entity tags, and where it names none by its date.
    func hasCurrent(_ response: HeaderList) -> Bool {
        guard !fields.contains("if-none-match") else {
            let tag = response.first("etag")
            return fields.values("if-none-match").flatMap(EntityTag.list).contains { known in
                known == "*" || tag.map { EntityTag.opaque(known) == EntityTag.opaque($0) } ?? false
            }
        }
        guard let text = response.first("last-modified"), let since = fields.first("if-modified-since") else {
            return false
        }
        if text == since { return true }
        guard let modified = Date(httpDate: text), let known = Date(httpDate: since) else { return false }
        return modified <= known
    }

    /// The range that it asks for of what was recorded; `nil` where it is to have all: If-Range names another state of it (RFC 9110 §13.1.5).
    func range(of response: HeaderList) -> RequestedRange? {
        guard method == "GET", response.first("accept-ranges")?.lowercased() != "none" else { return nil }
        if let condition = fields.first("if-range") {
            // Both validators have to be strong ones: a weak tag never is, and a date is only where it is the very same.
            let validator = condition.hasSuffix("\"") ? response.first("etag") : response.first("last-modified")
            guard !condition.hasPrefix("W/"), condition == validator else { return nil }
        }
        return RequestedRange(fields)
    }

    /// Whether the client can undo a content coding, named in lower case.
    ///
    /// A client without Accept-Encoding accepts none, where the recorded client had sent that field (`wasSaid`).
    func accepts(_ coding: String, wasSaid: Bool) -> Bool {
        let given: [Substring] = fields.values("accept-encoding").flatMap { $0.lowercased().split(separator: ",") }
        guard !given.isEmpty else { return !wasSaid }
        var isAny = false
        for item in given {
            let parts = item.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            let isRefused = parts.dropFirst().contains {
                $0.hasPrefix("q=0") && !$0.contains(where: { ("1"..."9").contains($0) })
            }
            if parts.first == coding || (parts.first == "x-gzip" && coding == "gzip") { return !isRefused }
            if parts.first == "*" { isAny = !isRefused }
        }
        return isAny
    }
}

/// Entity tags as fields list them (RFC 9110 §8.8.3).
private enum EntityTag {
    /// A tag without the mark that it is weak.
    static func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }

    /// The tags of a list, whose quotes may hold commas.
    static func list(_ value: String) -> [String] {
        var tags: [String] = []
        var tag = ""
        var isQuoted = false
        for character in value {
            if character == "\"" { isQuoted.toggle() }
            if isQuoted || character != "," && character != " " && character != "\t" {
                tag.append(character)
            } else if !tag.isEmpty {
                tags.append(tag)
                tag = ""
            }
        }
        return tag.isEmpty ? tags : tags + [tag]
    }
}
