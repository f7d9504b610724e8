import Traffic

/// The bytes that a request asks for, where it asks for one range of them (RFC 9110 §14.1.2).
enum RequestedRange: Equatable {
    /// From a place on, up to and with another, or to the end.
    case from(Int64, through: Int64?)
    /// So many at the end.
    case last(Int64)

    /// What of some content that is.
    enum Part: Equatable {
        case bytes(Range<Int64>)
        /// The range is none that the content has: 416.
        case outside
        /// The content is given whole.
        case whole
    }

    /// Reads a request's Range field; `nil` where there is none, and for what a server may pass over: another unit, several ranges, what is malformed.
    init?(_ fields: HeaderList) {
        let values = fields.values("range")
        guard values.count == 1, let value = values.first, value.lowercased().hasPrefix("bytes=") else { return nil }
        let bounds = value.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false).map {
            $0.trimming { $0 == " " || $0 == "\t" }
        }
        guard bounds.count == 2 else { return nil }
        switch (Self.number(bounds[0]), Self.number(bounds[1])) {
        case (let first?, let last?) where first <= last: self = .from(first, through: last)
        case (let first?, nil) where bounds[1].isEmpty: self = .from(first, through: nil)
        case (nil, let count?) where bounds[0].isEmpty: self = .last(count)
        default: return nil
        }
    }

    /// What of some content it is.
    func part(of length: Int64) -> Part {
        switch self {
        case .from(let first, let last):
            guard first < length else { return .outside }
            return .bytes(first..<min(length, (last ?? .max - 1) + 1))
        case .last(let count):
            guard count > 0 else { return .outside }
            // Of nothing there is no part that Content-Range could name.
            return length == 0 ? .whole : .bytes(max(0, length - count)..<length)
        }
    }

    /// A number made of digits alone; a number too large for `Int64` becomes one that no content reaches either.
    private static func number(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return min(Int64(text) ?? .max, .max - 1)
    }
}

extension Substring {
    fileprivate func trimming(_ isDropped: (Character) -> Bool) -> Substring {
        var rest = drop(while: isDropped)
        while let last = rest.last, isDropped(last) { rest.removeLast() }
        return rest
    }
}
