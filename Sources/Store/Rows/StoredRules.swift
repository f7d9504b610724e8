import Foundation
import Traffic

/// The record of rules as a text of an exchange's row: a JSON list of uses, and no text where no rule did anything.
enum StoredRules {
    /// Uses that are kept of an exchange: what changed it, and then the first of the others.
    static let useLimit = 1_000
    /// Bytes of the texts of the kept uses, all together.
    static let textLimitBytes = 1 << 18
    /// Bytes of one such text, which may have a name of the client's in it.
    private static let oneLimitBytes = 1 << 10
    /// Bytes of a list that is read: escaped, each byte of a text takes six at most, and the names of the members come on top.
    static let listLimitBytes = 1 << 21
    /// What is said of an exchange whose list is none, or too long.
    static let unreadable = "The record of what rules did to this exchange cannot be read."

    /// The uses that are kept, in their order, with long texts cut.
    static func kept(of uses: [RuleUse]) -> [RuleUse] {
        // Whether a request is its client's own hangs on what changed it.
        let order = uses.indices.filter { uses[$0].isChange } + uses.indices.filter { !uses[$0].isChange }
        var bytes = 0
        var kept: [(place: Int, use: RuleUse)] = []
        for place in order.prefix(useLimit) {
            var use = uses[place]
            (use.what, use.note) = (cut(use.what), use.note.map(cut))
            bytes += use.rule.utf8.count + use.action.utf8.count + use.what.utf8.count + (use.note?.utf8.count ?? 0)
            guard bytes <= textLimitBytes else { break }
            kept.append((place, use))
        }
        return kept.sorted { $0.place < $1.place }.map(\.use)
    }

    private static func cut(_ text: String) -> String {
        guard text.utf8.count > oneLimitBytes else { return text }
        var bytes = 0
        let scalars = text.unicodeScalars.prefix { scalar in
            bytes += UTF8.width(scalar)
            return bytes <= oneLimitBytes
        }
        return String(scalars) + "…"
    }

    /// What is said of an exchange of whose uses only so many are kept.
    static func warnings(of uses: [RuleUse], kept count: Int) -> [String] {
        count == uses.count ? [] : ["Rules did \(uses.count) things to it, of which \(count) are kept."]
    }

    /// The list of uses; `nil` where there are none.
    static func text(of uses: [RuleUse]) -> String? {
        // Most exchanges have none, and pay for no encoder.
        guard !uses.isEmpty else { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(uses)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The uses in a list, none for an empty text; `nil` where it is no such list, or longer than is read.
    static func uses(_ list: UnsafeRawBufferPointer) -> [RuleUse]? {
        guard !list.isEmpty else { return [] }
        guard list.count <= listLimitBytes,
            let uses = try? JSONDecoder().decode([RuleUse].self, from: Data(list)), uses.count <= useLimit
        else { return nil }
        return uses.map { use in
            var use = use
            use.microseconds = use.microseconds.map { StoredNumber.nearest($0, in: StoredNumber.amounts) }
            return use
        }
    }
}
