import Traffic

/// Lets a negated term stand on the command line as it is: `inspect ls -host:cdn.test` is a term, not a bundle of options.
enum QueryArguments {
    /// The arguments with a blank before each negated term, which keeps it from being taken for an option and means nothing in a query.
    static func shielded(_ arguments: [String]) -> [String] {
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        return arguments[..<end].map { isNegatedTerm($0) ? " " + $0 : $0 } + arguments[end...]
    }

    private static func isNegatedTerm(_ argument: String) -> Bool {
        guard argument.hasPrefix("-"), !argument.hasPrefix("--") else { return false }
        let term = argument.dropFirst()
        if term.hasPrefix("(") || term.hasPrefix("\"") { return true }
        guard let colon = term.firstIndex(of: ":") else { return false }
        return FilterKey.named(String(term[..<colon])) != nil
    }
}
