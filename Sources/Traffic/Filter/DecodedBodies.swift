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

    /// A byte that an expression or a path of JSON looks at is as much work as so many that a text is looked for in.
    private static let patternShare = 8

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
        patterns.contains { pattern in
            guard case .needle(let needle) = pattern.engine else {
                var scan = pattern.scan()
                return take(text.count * DecodedBodies.patternShare) && (scan.feed(text) || scan.finish())
            }
            return take(text.count) && TextFold.find(needle, in: folded(side, text)) != nil
        }
    }

    /// The text of a body folded, which takes many times as long as to look through it.
    private func folded(_ side: MessageSide, _ text: UnsafeRawBufferPointer) -> [UInt8] {
        if let folded = folded[side] { return folded }
        var folded: [UInt8] = []
        TextFold.append(text, to: &folded)
        self.folded[side] = folded
        return folded
    }

    /// Whether one of these patterns matches a value of a JSON body whose text was asked for.
    func matches(_ patterns: [JSONPattern], _ values: [JSONValue], _ side: MessageSide) -> Bool {
        patterns.contains { pattern in
            take((texts[side]?.count ?? 0) * DecodedBodies.patternShare) && values.contains(where: pattern.matches)
        }
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
