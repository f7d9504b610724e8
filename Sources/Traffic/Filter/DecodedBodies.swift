/// The decoded bodies of an exchange that several tests look into, each decoded when first asked for and at most once.
///
/// It holds at most 32 MiB of text a side (`BodyText.limitBytes`), the same text folded, and the values of a JSON body. It has one owner, and lasts as
/// long as a judgement.
package final class DecodedBodies {
    private var texts: [MessageSide: [UInt8]] = [:]
    private var folded: [MessageSide: [UInt8]] = [:]
    private var values: [MessageSide: [JSONValue]] = [:]
    /// Bytes that may still be searched.
    private var room: Int
    /// Whether a search was left out, since all others had taken so much work: that it found nothing tells nothing.
    package private(set) var isSpent = false
    /// How often a body was decoded.
    package private(set) var count = 0

    /// A byte that an expression looks at, or that is compared in JSON, is as much work as so many that a text is looked for in.
    private static let patternShare = 8
    /// To get ready to look for a byte of a text is as much work as to look at so many.
    private static let needleShare = 64
    /// The same of a step of an expression.
    private static let stepShare = 32

    /// - Parameter workBytes: bytes that all searches may look at: about a second's work unless given.
    package init(workBytes: Int = 2 << 30) { room = workBytes }

    /// Takes the work of a search through so many bytes.
    ///
    /// - Returns: `false` where there is too little left.
    private func take(_ bytes: Int) -> Bool {
        isSpent = isSpent || bytes > room
        if !isSpent { room -= bytes }
        return !isSpent
    }

    /// Whether one of these patterns matches the whole text of a body.
    func matches(_ patterns: [TextPattern], _ side: MessageSide, _ text: UnsafeRawBufferPointer) -> Bool {
        patterns.contains { matches($0, text) { folded(side, text) } }
    }

    /// Whether a pattern matches a text.
    private func matches(_ pattern: TextPattern, _ text: UnsafeRawBufferPointer, folded: () -> [UInt8]) -> Bool {
        switch pattern.engine {
        case .program(let program): !isSpent && matches(program, text)
        case .needle(let needle):
            take(text.count + needle.count * DecodedBodies.needleShare) && find(needle, in: folded())
        }
    }

    /// Whether a text stands in another, in a time that grows with their length alone.
    private func find(_ needle: [UInt8], in text: [UInt8]) -> Bool {
        needle.isEmpty
            || needle.count <= text.count
                && text.withUnsafeBytes { ByteSearch(needle).next(in: $0, from: 0) } != nil
    }

    /// Whether an expression matches anywhere in a text: where its table has no answer, each byte is many steps.
    private func matches(_ program: RegexProgram, _ text: UnsafeRawBufferPointer) -> Bool {
        var scan = RegexScan(program)
        return scan.find(in: text) { bytes, steps in
            take(bytes * DecodedBodies.patternShare + steps * DecodedBodies.stepShare)
        } == true
    }

    /// The text of a body folded, which takes many times as long as to look through it.
    private func folded(_ side: MessageSide, _ text: UnsafeRawBufferPointer) -> [UInt8] {
        if let folded = folded[side] { return folded }
        var folded: [UInt8] = []
        TextFold.append(text, to: &folded)
        self.folded[side] = folded
        return folded
    }

    /// Whether one of these patterns matches a value of a JSON body.
    func matches(_ patterns: [JSONPattern], _ values: [JSONValue]) -> Bool {
        patterns.contains { pattern in
            // What is spent goes through no text of a body that has many.
            !isSpent && !values.isEmpty
                && pattern.matches(
                    values,
                    mayLook: { take($0 * DecodedBodies.patternShare) },
                    isLike: { isLike($0, $1) }
                )
        }
    }

    /// Whether a string of JSON, or the text of a number, matches a pattern.
    private func isLike(_ pattern: TextPattern, _ text: String) -> Bool {
        var copy = text
        return copy.withUTF8 { bytes in matches(pattern, UnsafeRawBufferPointer(bytes)) { TextFold.bytes(text) } }
    }

    /// The text of a body.
    ///
    /// - Parameters:
    ///   - side: whose.
    ///   - decode: gives the pieces of the text; called the first time only.
    /// - Returns: the whole text.
    /// - Throws: what `decode` throws.
    func text(_ side: MessageSide, _ decode: ((UnsafeRawBufferPointer) -> Bool) throws -> Void) throws -> [UInt8] {
        if let text = texts[side] { return text }
        var text: [UInt8] = []
        try decode { piece in
            text.append(contentsOf: piece)
            return true
        }
        count += 1
        texts[side] = text
        return text
    }

    /// The values of a JSON body.
    ///
    /// - Parameters:
    ///   - side: whose.
    ///   - read: reads them; called the first time only.
    /// - Returns: the values.
    /// - Throws: what `read` throws.
    func values(_ side: MessageSide, _ read: () throws -> [JSONValue]) throws -> [JSONValue] {
        if let values = values[side] { return values }
        let values = try read()
        self.values[side] = values
        return values
    }
}
