import ArgumentParser

extension ArgumentHelp {
    /// Help that names the default, which the parser does not know for values of our own types.
    static func limit(
        _ abstract: String,
        _ standard: some CustomStringConvertible,
        valueName: String
    ) -> ArgumentHelp {
        ArgumentHelp(abstract, discussion: "Default: \(standard).", valueName: valueName)
    }
}
