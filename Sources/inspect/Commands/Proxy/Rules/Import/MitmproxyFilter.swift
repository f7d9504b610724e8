import Traffic

/// A flow filter of mitmproxy as a term of a query, and the message that it selects.
struct MitmproxyFilter {
    private typealias Gap = ImportedRule.Gap

    /// The filters with a regular expression, and our keys.
    private static let keys: [Substring: String] = [
        "d": "host", "m": "method", "u": "url", "b": "body", "bq": "reqbody", "bs": "resbody", "h": "header",
        "hq": "reqheader", "hs": "resheader", "t": "header", "tq": "reqheader", "ts": "resheader",
    ]
    /// Methods, each of which is a part of no other.
    private static let methods: Set = ["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "CONNECT", "TRACE"]

    /// The term; `nil` for every flow.
    private(set) var term: String?
    /// The message that is meant; `nil` for either.
    private(set) var side: MessageSide?
    /// What of it cannot be said where messages are changed.
    private(set) var gaps: [String] = []

    /// Whether it asks of a body that is not there yet when the head of its own message is.
    private(set) var asksOfBody = false

    /// Reads a filter sign by sign; what makes no sense then makes no query.
    ///
    /// - Throws: `ImportedRule.Gap` where it cannot be said.
    init(_ text: String) throws {
        var rest = text[...]
        var out = ""
        var (isOfEither, isOfRequestBody) = (false, false)
        var (isNested, isChosen, isOfResponse) = (false, false, false)
        // Terms beside each other bind less than '|' there, and stand in no parentheses.
        var (depth, isBehindTerm, isListed, isChosenOutside) = (0, false, false, false)
        while let sign = rest.drop(while: \.isWhitespace).first {
            rest = rest.drop(while: \.isWhitespace)
            guard !out.hasSuffix("-") || !")&|".contains(sign) else { break }
            if isBehindTerm, !")&|".contains(sign) {
                guard depth == 0 else { throw Gap("the filter '\(text)' cannot be read") }
                isListed = true
            }
            isBehindTerm = !"(!&|".contains(sign)
            depth += sign == "(" ? 1 : sign == ")" ? -1 : 0
            guard depth >= 0 else { throw Gap("the filter '\(text)' cannot be read") }
            isChosenOutside = isChosenOutside || sign == "|" && depth == 0
            isNested = isNested || "()!".contains(sign)
            isChosen = isChosen || sign == "|"
            if "()!&|~".contains(sign) { rest.removeFirst() }
            switch sign {
            // Doubled, so that what lies on each side of an 'or' in it is a group.
            case "(": out += "(("
            case ")": out += ")) "
            case "!": out += "-"
            case "&": break
            case "|": out += ") or ("
            case "~":
                let code = rest.prefix(while: \.isLetter)
                rest = rest.dropFirst(code.count)
                isOfEither = isOfEither || ["b", "h", "t"].contains(code)
                asksOfBody = asksOfBody || ["b", "bs"].contains(code)
                isOfRequestBody = isOfRequestBody || code == "bq"
                isOfResponse = isOfResponse || ["a", "bs", "c", "hs", "ts"].contains(code)
                switch code {
                case "q", "s":
                    guard side == nil else { throw Gap("~q and ~s beside each other") }
                    side = code == "q" ? .request : .response
                case "a": out += "type:js,css,image,font "
                case "c": out += QueryPattern.containing("code", try MitmproxyFilter.argument(&rest)) + " "
                case "all", "http":
                    guard out.isEmpty, rest.allSatisfy(\.isWhitespace) else { throw Gap("~\(code) beside others") }
                default:
                    guard let key = MitmproxyFilter.keys[code] else { throw Gap("the filter ~\(code)") }
                    out += try MitmproxyFilter.term(code, key, try MitmproxyFilter.argument(&rest)) + " "
                }
            default: out += try MitmproxyFilter.term("u", "url", try MitmproxyFilter.argument(&rest)) + " "
            }
        }
        guard !out.hasSuffix("-") else { throw Gap("the filter '\(text)' cannot be read") }
        guard !isListed || !isChosenOutside else {
            throw Gap("terms beside each other in a filter with '|', '\(text)'")
        }
        guard side == nil || !isNested && !isChosen else { throw Gap("~q or ~s within a larger filter") }
        if isOfEither, side != .request {
            gaps.append("~b, ~h and ~t ask of both messages; here of the one that changes")
        }
        if isOfResponse, side == nil, isNested || isChosen {
            gaps.append("requests, of which the filter may hold before there is a response")
        }
        // What asks of the response holds for no request.
        if isOfResponse, side == nil { side = .response }
        asksOfBody = asksOfBody || isOfRequestBody && side != .response
        let joined = out.trimmingBlanks.replacing(" )", with: ")")
        if !joined.isEmpty { term = isChosen ? "((\(joined)))" : joined }
    }

    /// The term of a filter, all of which ignore case since version 12.
    private static func term(_ code: Substring, _ key: String, _ source: String) throws -> String {
        if code.hasPrefix("t") { return try QueryPattern.field(key, "content-type", source) }
        let names = source.split(separator: "|", omittingEmptySubsequences: false).map { $0.uppercased() }
        if code == "m", names.allSatisfy(methods.contains) { return "method:\(names.joined(separator: ","))" }
        return try QueryPattern.regex(key, code.hasPrefix("b") ? "(?s)\(source)" : source)
    }

    /// The word or the quoted text that is next.
    private static func argument(_ rest: inout Substring) throws -> String {
        rest = rest.drop(while: \.isWhitespace)
        if let quoted = quoted(&rest) { return quoted }
        let word = rest.prefix { !$0.isWhitespace && !"()~\"'".contains($0) }
        guard !word.isEmpty else { throw Gap("a filter without its regular expression") }
        rest = rest[word.endIndex...]
        return String(word)
    }

    /// The text between two signs `"` or `'`, if one is next and ends; every backslash goes, as the reader of filters there has it.
    private static func quoted(_ rest: inout Substring) -> String? {
        var (out, left) = ("", rest)
        guard let mark = left.popFirst(), mark == "\"" || mark == "'" else { return nil }
        while let sign = left.popFirst() {
            if sign == mark {
                rest = left
                return out
            }
            guard sign == "\\" else {
                out.append(sign)
                continue
            }
            guard let next = left.popFirst() else { return nil }
            out += ["n": "\n", "t": "\t", "f": "\u{C}", "r": "\r"][next] ?? String(next)
        }
        return nil
    }
}
