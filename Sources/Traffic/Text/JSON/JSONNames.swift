/// Names of members that a reader has met, so that the long ones of a list's objects are held once.
struct JSONNames {
    /// Names that are held; a name takes the place of another now and then.
    private static let slots = 64
    /// Shorter ones are held within the String itself and cost nothing.
    private static let shortBytes = 15

    private var names: [String] = []

    /// The name that some bytes are.
    mutating func name(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        guard bytes.count > JSONNames.shortBytes, let first = bytes.first, let last = bytes.last else {
            return String(decoding: bytes, as: UTF8.self)
        }
        if names.isEmpty { names = Array(repeating: "", count: JSONNames.slots) }
        let slot = (bytes.count &* 31 &+ Int(first) &* 7 &+ Int(last)) % JSONNames.slots
        let isKnown = names[slot].utf8.withContiguousStorageIfAvailable { $0.elementsEqual(bytes) }
        if isKnown == true { return names[slot] }
        let name = String(decoding: bytes, as: UTF8.self)
        names[slot] = name
        return name
    }
}
