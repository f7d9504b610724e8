import ArgumentParser

extension ArgumentHelp {
    /// Help that names the default, which the parser cannot tell of values of our own.
    static func limit(
        _ abstract: String,
        _ standard: some CustomStringConvertible,
        valueName: String
    ) -> ArgumentHelp {
        ArgumentHelp(abstract, discussion: "Default: \(standard).", valueName: valueName)
    }
}
