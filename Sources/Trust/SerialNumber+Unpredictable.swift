import X509

extension Certificate.SerialNumber {
    /// A serial of 126 random bits from the system's generator.
    ///
    /// The first byte is between 0x40 and 0x7f: the number is positive and always sixteen bytes long, so it stays under
    /// the twenty bytes of RFC 5280 §4.1.2.2 and over the 64 bits that browsers ask for.
    static func unpredictable() -> Self {
        var random = SystemRandomNumberGenerator()
        var bytes = [UInt8]()
        bytes.reserveCapacity(16)
        for _ in 0..<2 {
            let word = random.next()
            for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
        }
        bytes[0] = bytes[0] & 0x3f | 0x40
        return Self(bytes: bytes)
    }
}
