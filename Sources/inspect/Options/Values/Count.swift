import ArgumentParser

/// How many of something a proxy allows.
struct Count: CustomStringConvertible, Equatable, Sendable {
    let count: Int

    init(_ count: Int) { self.count = count }

    /// Reads a count from 1 to 1,000,000,000.
    ///
    /// - Throws: `ValidationError` saying what was expected.
    init(option: String) throws {
        guard let count = Int(option), (1...1_000_000_000).contains(count) else {
            throw ValidationError("expected a number of 1 or more")
        }
        self.count = count
    }

    var description: String { "\(count)" }
}
