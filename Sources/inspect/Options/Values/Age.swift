import ArgumentParser

/// A long time as people write it: `30m`, `12h`, `7d`, `4w`.
struct Age: Equatable, Sendable {
    let microseconds: Int64

    /// Reads a time from 1 s to 10,000 d.
    ///
    /// - Throws: `ValidationError` saying what was expected.
    init(option: String) throws {
        let digits = option.prefix { $0.isASCII && $0.isNumber }
        let units: [String: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
        guard let unit = units[option.dropFirst(digits.count).lowercased()], digits.utf8.count <= 9,
            let count = Int64(digits), case let seconds = count * unit, (1...864_000_000).contains(seconds)
        else { throw ValidationError("expected an age such as 30m, 12h, 7d or 4w") }
        microseconds = seconds * 1_000_000
    }
}
