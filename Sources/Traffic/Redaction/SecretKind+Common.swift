/// Values that are common, whatever their name.
extension SecretKind {
    /// The most bytes of a common value; a longer value is a text of its own.
    private static let commonLimit = 256
    /// The beginnings of URLs, of pointers into JSON (RFC 6901 §6) and of media types.
    private static let beginnings = [
        "http://", "https://", "ws://", "wss://", "#/", "application/", "audio/", "font/", "image/", "message/",
        "model/", "multipart/", "text/", "video/",
    ].map { Array($0.utf8) }
    /// A part of a URL, a pointer or a type with this many bytes was made by a machine, unless it is a word.
    private static let madePartBytes = 16

    /// Whether many texts may have a value: a word, a date, a pointer into JSON, a media type, or a URL without credentials.
    ///
    /// Such a value is masked only where a name calls it a secret: elsewhere a text without such values would say nothing.
    static func isCommon(_ value: some Collection<UInt8>) -> Bool {
        if isWord(value) { return true }
        guard value.count <= commonLimit else { return false }
        let bytes = Array(value)
        return isMoment(bytes) || isPlace(bytes)
    }

    /// Whether a value is a date, with a time or without (RFC 3339 §5.6, RFC 9110 §5.6.7).
    private static func isMoment(_ value: [UInt8]) -> Bool {
        guard (10...40).contains(value.count) else { return false }
        if value.count == 29, value[3] == ASCII.comma, value.suffix(4).elementsEqual(" GMT".utf8) { return true }
        guard value[4] == UInt8(ascii: "-") else { return false }
        let text = String(decoding: value, as: UTF8.self)
        return Timestamp.microseconds(value.count == 10 ? text + "T00:00:00" : text) != nil
    }

    /// Whether a value is a URL without a user, a pointer or a type, and no part of it looks made.
    private static func isPlace(_ value: [UInt8]) -> Bool {
        guard !value.contains(UInt8(ascii: "@")), beginnings.contains(where: { value.starts(with: $0) }) else {
            return false
        }
        let parts = value.split { "/?&=#;:., ".utf8.contains($0) }
        return parts.allSatisfy { $0.count < madePartBytes || isWord($0) }
    }
}
