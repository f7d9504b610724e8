import Foundation
import Traffic

/// A path of a document with open parts, such as `/facilities/{id}`.
struct PathTemplate: Sendable {
    /// A piece of a segment.
    enum Piece: Hashable, Sendable {
        /// Fixed text, escapes undone.
        case text(String)
        /// An open part of this name.
        case open(String)
    }

    /// The template as it is written.
    let source: String
    /// The segments between slashes, each in pieces.
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

    /// The segments of a path, without its first slash.
    static func parts(_ path: some StringProtocol) -> [Substring] {
        // By bytes: a combining mark behind a slash makes one character with it.
        let slash = UInt8(ascii: "/")
        let bytes = Substring(path).utf8
        let rest = bytes.first == slash ? bytes.dropFirst() : bytes
        return rest.split(separator: slash, omittingEmptySubsequences: false).map { Substring($0) }
    }

    /// A segment with its escapes undone; as it is where an escape is not valid.
    static func decoded(_ segment: Substring) -> String { PercentCoding.wholeText(String(segment)) ?? String(segment) }

    /// The names of the open parts.
    var names: [String] {
        segments.joined().compactMap { piece in if case .open(let name) = piece { name } else { nil } }
    }

    /// The numbers by which templates are sorted: text goes before an open part (OpenAPI, "concrete before templated").
    var rank: [Int] {
        segments.map { pieces in
            let isOpen = pieces.contains { if case .open = $0 { true } else { false } }
            return isOpen ? pieces.count == 1 ? 2 : 1 : 0
        }
    }

    /// The values of the open parts in a path's segments, as they were sent; `nil` where the path does not fit.
    ///
    /// The values within a segment that has text beside its open parts are escaped again, but only the `%` in them.
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
                // The last text must stand at the end; any other is taken where it first occurs.
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
