import ArgumentParser

/// A number of bytes as people write it: `1000`, `256k`, `64MiB`.
struct ByteCount: CustomStringConvertible, Equatable, Sendable {
    let bytes: Int

    init(_ bytes: Int) { self.bytes = bytes }

    /// Reads a number of at least 1; k, M and G are steps of 1,024.
    ///
    /// - Throws: `ValidationError` saying what was expected.
    init(option: String) throws {
        try self.init(orNone: option)
        if bytes == 0 { throw ByteCount.mistake }
    }

    /// Reads a number of at least 0.
    ///
    /// - Throws: `ValidationError` saying what was expected.
    init(orNone option: String) throws {
        let digits = option.prefix { $0.isASCII && $0.isNumber }
        let steps: [String: Int] = ["": 0, "k": 1, "m": 2, "g": 3]
        var unit = option.dropFirst(digits.count).lowercased()
        for suffix in ["ib", "b"] where unit.hasSuffix(suffix) {
            unit.removeLast(suffix.count)
            break
        }
        guard let step = steps[unit], digits.utf8.count <= 15, let count = Int(digits), count < 1 << 33 || step == 0
        else {
            throw ByteCount.mistake
        }
        bytes = count << (10 * step)
        if bytes > 1 << 50 { throw ByteCount.mistake }
    }

    private static var mistake: ValidationError {
        ValidationError("expected a size such as 1000, 256k, 64MiB or 1GiB")
    }

    /// The number in the largest unit that leaves a whole number.
    var description: String {
        for (step, unit) in [(3, "GiB"), (2, "MiB"), (1, "KiB")] where bytes > 0 && bytes % (1 << (10 * step)) == 0 {
            return "\(bytes >> (10 * step))\(unit)"
        }
        return "\(bytes)"
    }
}
