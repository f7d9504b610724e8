import Foundation
import Traffic

/// A path of a document with its open parts, `/facilities/{id}`.
struct PathTemplate: Sendable {
    /// One piece of a segment.
    enum Piece: Hashable, Sendable {
        /// Text that stands there, escapes undone.
        case text(String)
        /// An open part of this name.
        case open(String)
    }

    /// As it is written.
    let source: String
    /// What stands between slashes, each in pieces.
    let segments: [[Piece]]

    /// Reads a template; `nil` where a brace is never closed or names nothing.
    init?(_ source: String) {
        self.source = source
        var segments: [[Piece]] = []
        for part in PathTemplate.parts(source) {
            guard let pieces = PathTemplate.pieces(part) else { return nil }
            segments.append(pieces)
        }
        self.segments = segments
    }

    /// What stands between the slashes of a path, the first slash left out.
    static func parts(_ path: some StringProtocol) -> [Substring] {
        var text = Substring(path)
        if text.first == "/" { text = text.dropFirst() }
        return text.split(separator: "/", omittingEmptySubsequences: false)
    }

    /// A segment without its escapes; as it is where they are none.
    static func decoded(_ segment: Substring) -> String { PercentCoding.wholeText(String(segment)) ?? String(segment) }

    /// The names of the open parts.
    var names: [String] {
        segments.joined().compactMap { piece in if case .open(let name) = piece { name } else { nil } }
    }

    /// Numbers that sort templates: where one has text that another leaves open, it goes first (OpenAPI, "concrete before templated").
    var rank: [Int] {
        segments.map { pieces in
            let isOpen = pieces.contains { if case .open = $0 { true } else { false } }
            return isOpen ? pieces.count == 1 ? 2 : 1 : 0
        }
    }

    /// The values of the open parts in a path's segments, as they were sent; `nil` where it does not fit.
    ///
    /// Of a segment with text beside its open parts the values are escaped again, those of `%` alone.
    func values(in parts: ArraySlice<Substring>) -> [String: Substring]? {
        guard parts.count == segments.count else { return nil }
        var values: [String: Substring] = [:]
        for (part, pieces) in zip(parts, segments) {
            if pieces.count == 1, case .open(let name) = pieces[0] {
                guard !part.isEmpty else { return nil }
                values[name] = part
                continue
            }
            var own: [String: String] = [:]
            guard PathTemplate.fit(PathTemplate.decoded(part)[...], pieces[...], &own) else { return nil }
            for (name, value) in own { values[name] = value.replacing("%", with: "%25")[...] }
        }
        return values
    }

    /// Fits a segment from the left: an open part ends where the text after it begins, and is never empty.
    private static func fit(_ text: Substring, _ pieces: ArraySlice<Piece>, _ values: inout [String: String]) -> Bool {
        var (text, pieces) = (text, pieces)
        while let piece = pieces.popFirst() {
            switch piece {
            case .text(let wanted):
                guard text.hasPrefix(wanted) else { return false }
                text = text.dropFirst(wanted.count)
            case .open(let name):
                guard case .text(let next)? = pieces.first else {
                    guard !text.isEmpty, pieces.isEmpty else { return false }
                    values[name] = String(text)
                    return true
                }
                // The last text stands at the end; another where it first comes.
                let rest = text.dropFirst()
                let place =
                    pieces.count == 1
                    ? (text.hasSuffix(next) ? text.index(text.endIndex, offsetBy: -next.count) : nil)
                    : rest.firstRange(of: next)?.lowerBound
                guard let place, place > text.startIndex else { return false }
                values[name] = String(text[..<place])
                text = text[place...]
            }
        }
        return text.isEmpty
    }

    private static func pieces(_ part: Substring) -> [Piece]? {
        var pieces: [Piece] = []
        var rest = part
        while let open = rest.firstIndex(of: "{") {
            if open > rest.startIndex { pieces.append(.text(decoded(rest[..<open]))) }
            guard let close = rest[open...].firstIndex(of: "}") else { return nil }
            let name = String(rest[rest.index(after: open)..<close])
            guard !name.isEmpty else { return nil }
            pieces.append(.open(name))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { pieces.append(.text(decoded(rest))) }
        return pieces
    }
}
