/// The member names that a reader has met: the long names in a list's objects are then held once.
struct JSONNames {
    /// Names that are held; a name takes the place of another now and then.
    private static let slots = 64
    /// Shorter ones are held within the String itself and cost nothing.
    private static let shortBytes = 15

    private var names: [String] = []

    /// The name in some bytes.
    mutating func name(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        guard bytes.count > JSONNames.shortBytes, let first = bytes.first, let last = bytes.last else {
            return ByteText.repaired(bytes)
        }
        if names.isEmpty { names = Array(repeating: "", count: JSONNames.slots) }
        let slot = (bytes.count &* 31 &+ Int(first) &* 7 &+ Int(last)) % JSONNames.slots
        let isKnown = names[slot].utf8.withContiguousStorageIfAvailable { $0.elementsEqual(bytes) }
        if isKnown == true { return names[slot] }
        let name = ByteText.repaired(bytes)
        names[slot] = name
        return name
    }
}
