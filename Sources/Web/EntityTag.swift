import Hummingbird

/// A strong validator (RFC 9110 §8.8.3): the same text only for the same bytes.
struct EntityTag: Hashable, Sendable {
    /// With its quotes.
    let text: String

    /// The tag of something that has a name of its own, such as a digest: letters, digits and dashes.
    init(name: String) { text = "\"\(name)\"" }

    /// The tag of bytes: their FNV-1a sum and their length.
    init(of bytes: [UInt8]) {
        var sum: UInt64 = 14_695_981_039_346_656_037
        for byte in bytes { sum = (sum ^ UInt64(byte)) &* 1_099_511_628_211 }
        self.init(name: String(sum, radix: 16) + "-" + String(bytes.count, radix: 16))
    }

    private init(text: String) { self.text = text }

    /// The suffix of a coded answer's tag: other bytes have another tag.
    private static let codedEnding = "-gzip\""

    /// The tag of the same answer, coded.
    var coded: EntityTag { EntityTag(text: text.dropLast() + EntityTag.codedEnding) }

    /// The tag of a list that names the same answer, coded or not; compared as `If-None-Match` wants it (RFC 9110 §13.1.2).
    func found(in list: String) -> EntityTag? {
        for part in list.split(separator: ",") {
            let tag = part.trimmingPrefix { $0 == " " || $0 == "\t" }.split(separator: " ").first ?? ""
            if tag == "*" { return self }
            let strong = tag.hasPrefix("W/") ? tag.dropFirst(2) : tag
            if strong == text || strong == coded.text { return EntityTag(text: String(strong)) }
        }
        return nil
    }
}

extension Response {
    /// The answer with the tag of its content.
    func tagged(_ tag: EntityTag) -> Response {
        var response = self
        response.headers[.eTag] = tag.text
        return response
    }
}
