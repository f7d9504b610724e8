import Traffic

/// A flow filter of mitmproxy as a term of a query, and the message that it selects.
struct MitmproxyFilter {
    private typealias Gap = ImportedRule.Gap

    /// The filters with a regular expression: our key, and what stands before the expression.
    private static let keys: [Substring: (key: String, start: String)] = [
        "d": ("host", ""), "m": ("method", ""), "u": ("url", ""), "b": ("body", ""), "bq": ("reqbody", ""),
        "bs": ("resbody", ""), "h": ("header", ""), "hq": ("reqheader", ""), "hs": ("resheader", ""),
        "t": ("header", "^content-type: .*"), "tq": ("reqheader", "^content-type: .*"),
        "ts": ("resheader", "^content-type: .*"),
    ]

    /// The term; `nil` for every flow.
    private(set) var term: String?
    /// The message that is meant; `nil` for either.
    private(set) var side: MessageSide?

    /// Reads a filter sign by sign; what makes no sense then makes no query.
    ///
    /// - Throws: `ImportedRule.Gap` where it cannot be said.
    init(_ text: String) throws {
        var rest = text[...]
        var out = ""
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
                    guard let (key, start) = MitmproxyFilter.keys[code] else { throw Gap("the filter ~\(code)") }
                    out += try MitmproxyFilter.term(key, start, try MitmproxyFilter.argument(&rest)) + " "
                }
            default: out += try MitmproxyFilter.term("url", "", try MitmproxyFilter.argument(&rest)) + " "
            }
        }
        guard !out.hasSuffix("-") else { throw Gap("the filter '\(text)' cannot be read") }
        guard !isListed || !isChosenOutside else {
            throw Gap("terms beside each other in a filter with '|', '\(text)'")
        }
        guard side == nil || !isNested && !isChosen else { throw Gap("~q or ~s within a larger filter") }
        // What asks of the response holds for no request.
        if isOfResponse, side == nil { side = .response }
        let joined = out.trimmingBlanks.replacing(" )", with: ")")
        if !joined.isEmpty { term = isChosen ? "((\(joined)))" : joined }
    }

    private static func term(_ key: String, _ start: String, _ source: String) throws -> String {
        if key == "method", source.contains(/^[A-Za-z]+(\|[A-Za-z]+)*$/) {
            return "method:\(source.replacing("|", with: ","))"
        }
        return try QueryPattern.regex(key, start.isEmpty ? source : "\(start)(?:\(source))")
    }

    /// The word or the quoted text that is next.
    private static func argument(_ rest: inout Substring) throws -> String {
        rest = rest.drop(while: \.isWhitespace)
        if let match = rest.prefixMatch(of: /(?s)"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'/) {
            rest = rest[match.range.upperBound...]
            // A regular expression keeps its other backslashes.
            return String(match.1 ?? match.2 ?? "").replacing(/\\(["'])/) { $0.1 }
        }
        let word = rest.prefix { !$0.isWhitespace && !"()~\"'".contains($0) }
        guard !word.isEmpty else { throw Gap("a filter without its regular expression") }
        rest = rest[word.endIndex...]
        return String(word)
    }
}
