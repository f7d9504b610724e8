import ArgumentParser

/// How much of something a command prints, at most: `--limit`.
struct Limit: CustomStringConvertible, Equatable, Sendable {
    /// The limit of every command whose `--limit` is not given.
    static let standard = Limit(100)

    let count: Int

    init(_ count: Int) { self.count = count }

    /// Reads a limit from 0 to 1,000,000,000.
    ///
    /// - Throws: `ValidationError` saying what was expected.
    init(option: String) throws {
        guard let count = Int(option), (0...1_000_000_000).contains(count) else {
            throw ValidationError("expected a number from 0 to 1000000000, such as \(Limit.standard)")
        }
        self.count = count
    }

    /// The help of the option, with its default: the parser knows the defaults only of values that it reads itself.
    static func help(_ abstract: String) -> ArgumentHelp {
        ArgumentHelp("\(abstract) (default: \(standard))", valueName: "n")
    }

    var description: String { "\(count)" }
}
