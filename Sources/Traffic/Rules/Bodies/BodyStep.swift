/// One change of a body, with the values of its templates filled in.
enum BodyStep: Sendable {
    /// Another text.
    case text(String)
    /// Another content.
    case bytes([UInt8])
    case json(ReadyJSONEdit)
    case form(FormEdit)
    case replace(ReadyReplacement)
    case prepend(String)
    case append(String)

    /// Whether it needs the whole of a body in a charset, so that it cannot be done while the body passes.
    func needsWhole(_ charset: Charset?) -> Bool {
        switch self {
        case .text, .bytes, .json, .form: return true
        case .prepend, .append: return charset?.isPlain == false
        case .replace(let replacement):
            // In other charsets the bytes of a text may be parts of other characters.
            guard case .text = replacement.pattern else { return true }
            return charset?.isPlain == false
        }
    }

    /// How many edits it is of a body of so many bytes, each of which may read the body anew; to read a form takes longer, since it may be all items.
    func edits(of count: Int) -> Int {
        switch self {
        case .json(let edit): edit.count
        case .form(let edit): edit.count + count >> 10
        case .text, .bytes, .replace, .prepend, .append: 1
        }
    }

    /// Whether it looks for a regular expression.
    var findsByRegex: Bool {
        guard case .replace(let replacement) = self, case .regex = replacement.pattern else { return false }
        return true
    }

    /// A text as it is written into a body of a charset; into one whose charset cannot be read, ASCII alone.
    ///
    /// - Throws: `RuleFault` where the charset has no such character.
    static func bytes(of text: String, in charset: Charset?) throws(RuleFault) -> [UInt8] {
        let bytes =
            if let charset { charset.bytes(of: text) } else {
                text.utf8.allSatisfy { $0 < 0x80 } ? Array(text.utf8) : nil
            }
        if let bytes { return bytes }
        let shown = text.shortened(to: 40)
        guard let charset else {
            throw RuleFault("the charset of the body is unknown, so that '\(shown)' cannot be written in it")
        }
        throw RuleFault("'\(shown)' cannot be written in \(charset.rawValue)")
    }

    /// Bytes of the mark with which a text begins that says the order of its bytes.
    static func markLength(of bytes: some Collection<UInt8>, in charset: Charset?) -> Int {
        if charset?.isPlain != false { return bytes.starts(with: utf8Mark) ? utf8Mark.count : 0 }
        return bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) ? 2 : 0
    }

    /// The byte order mark as UTF-8.
    static let utf8Mark: [UInt8] = [0xEF, 0xBB, 0xBF]
}
