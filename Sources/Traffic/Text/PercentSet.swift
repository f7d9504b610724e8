/// The characters that stay as they are in a text that is percent-encoded; every other byte becomes `%XX` (RFC 3986 §2.1).
///
/// All sets but `none` keep the letters and digits of ASCII. No set keeps a byte beyond ASCII.
package struct PercentSet: Sendable {
    /// Whether a byte is kept, by its value.
    private let isKept: [Bool]

    private init(letters: Bool = true, _ characters: String) {
        let kept = Set(characters.utf8)
        isKept = (0...UInt8.max).map { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: letters
            default: kept.contains(byte)
            }
        }
    }

    /// Whether a byte stays as it is.
    func contains(_ byte: UInt8) -> Bool { isKept[Int(byte)] }

    /// Keeps nothing: for bytes that are no text.
    package static let none = PercentSet(letters: false, "")
    /// Letters and digits alone: for a text that may stand in any part of a URL.
    package static let word = PercentSet("")
    /// A name or a value of a form (WHATWG URL §5.1), in which a blank becomes a `+` afterwards.
    static let form = PercentSet("*-._ ")
    /// A segment of a path (RFC 3986 §3.3).
    static let segment = PercentSet("-._~!$&'()*+,;=:@")
    /// A name or a value of a query's item: nothing in it ends the item, or is read as something else.
    static let queryPart = PercentSet("-._~!$'()*,;:@/?")
    /// An item of a query as somebody wrote it, with the escapes and the `=` in it: nothing in it ends the item.
    static let queryItem = PercentSet("-._~!$'()*,;:@/?%+=[\\]^`{|}")
    /// A request target: all that a URI may hold, but for the `#` that begins a fragment.
    package static let target = PercentSet("-._~!$&'()*,;:@/?%+=[]")
    /// A URL: all that a URI may hold (RFC 3986 §2).
    package static let url = PercentSet("-._~!$&'()*,;:@/?%+=[]#")
}
