/// The decoded bodies of an exchange that several tests look into, each decoded when first asked for and at most once.
///
/// It holds at most 32 MiB of text a side (`BodyText.limitBytes`), and the values of a JSON body. It has one owner, and lasts as long as a judgement.
package final class DecodedBodies {
    private var texts: [MessageSide: [UInt8]] = [:]
    private var values: [MessageSide: [JSONValue]] = [:]
    /// How often a body was decoded.
    package private(set) var count = 0

    package init() {}

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
