/// A replacement with the values of its template filled in, all but the groups of each match.
struct ReadyReplacement: Sendable {
    /// A stretch of what stands in the place of a match.
    enum Part: Hashable, Sendable {
        case text(String)
        /// What a group of the match matched, counted from 1.
        case group(Int)
    }

    let pattern: TextReplacement.Pattern
    let with: [Part]
    let isFirstOnly: Bool

    /// The text that stands in the place of a match without groups.
    var plain: String {
        with.reduce(into: "") { text, part in if case .text(let more) = part { text += more } }
    }

    /// Bytes that a text is made longer by at most.
    private static let growthLimitBytes = 1 << 20

    /// A text with its matches replaced.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - work: the work that is left; it is reduced by what was done.
    /// - Returns: the text.
    /// - Throws: `RuleFault` where to find the matches takes too much work, or the text would grow by over 1 MiB.
    func apply(to text: String, _ work: inout EditWork) throws(RuleFault) -> String {
        switch pattern {
        case .text(let find):
            let (bytes, wanted, with) = (Array(text.utf8), Array(find.utf8), Array(plain.utf8))
            let search = ByteSearch(wanted)
            var out: [UInt8] = []
            var end = 0
            let isShort = bytes.withUnsafeBytes { raw in
                while let place = search.next(in: raw, from: end) {
                    out += bytes[end..<place]
                    out += with
                    end = place + wanted.count
                    guard out.count - end <= ReadyReplacement.growthLimitBytes else { return false }
                    if isFirstOnly { return true }
                }
                return true
            }
            guard isShort else { throw ReadyReplacement.tooLong }
            return String(decoding: out + bytes[end...], as: UTF8.self)
        case .regex(let regex):
            let bytes = Array(text.utf8)
            var out: [UInt8] = []
            var end = 0
            var isShort = true
            let isFound = regex.find(in: bytes, work: &work, parts: with.count) { match in
                out += bytes[end..<match.range.lowerBound]
                let room = end + ReadyReplacement.growthLimitBytes + match.range.count
                isShort = write(match, of: bytes, into: &out, limit: room)
                end = match.range.upperBound
                isShort = isShort && out.count - end <= ReadyReplacement.growthLimitBytes
                return isShort && !isFirstOnly
            }
            guard isShort else { throw ReadyReplacement.tooLong }
            guard isFound else { throw ReadyReplacement.tooMuch }
            return String(decoding: out + bytes[end...], as: UTF8.self)
        }
    }

    /// Writes what stands in the place of a match, as UTF-8.
    ///
    /// - Parameters:
    ///   - match: the match.
    ///   - bytes: the text in which it was found.
    ///   - out: gets the text.
    ///   - limit: bytes that this may have then.
    /// - Returns: whether it has no more; no more is written.
    func write(_ match: RegexSearch.Match, of bytes: [UInt8], into out: inout [UInt8], limit: Int) -> Bool {
        for part in with {
            switch part {
            case .text(let text): out += text.utf8
            case .group(let number):
                if number <= match.groups.count, let range = match.groups[number - 1] { out += bytes[range] }
            }
            guard out.count <= limit else { return false }
        }
        return true
    }

    private static let tooLong = RuleFault("the value would grow by over \(growthLimitBytes >> 20) MiB")

    /// The fault where a regular expression is too slow on a text.
    static let tooMuch = RuleFault("the regular expression takes too much work on this text")
}
