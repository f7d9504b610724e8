import ArgumentParser

/// Lets a negated term stand on the command line as it is: `inspect ls -host:cdn.test` is a term, not a bundle of options.
enum QueryArguments {
    /// The arguments with a blank before each negated term, which keeps it from being taken for an option and means nothing in a query.
    ///
    /// A word that looks like a negated term and is the value of an option is joined to the option with `=`: a blank would become part of the value.
    static func shielded(_ arguments: [String]) -> [String] {
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        // What follows run is another program's command line, whose options may have colons: curl -uname:password.
        let isRun = arguments.first == RunCommand.configuration.commandName
        var words: [String] = []
        for (index, word) in arguments[..<end].enumerated() {
            if !isNegatedTerm(word) {
                let isValue = words.last.map { takesValue($0, of: arguments) } ?? true
                if isRun, !word.hasPrefix("-"), !isValue { return words + arguments[index...] }
                words.append(word)
            } else if let option = words.last, takesValue(option, of: arguments) {
                words[words.count - 1] = "\(option)=\(word)"
            } else {
                words.append(isRun ? word : " " + word)
            }
        }
        return words + arguments[end...]
    }

    /// Whether a word is a long option that the next one is the value of.
    private static func takesValue(_ word: String, of arguments: [String]) -> Bool {
        guard word.hasPrefix("--"), !word.contains("="), let command = CommandPath(arguments).command else {
            return false
        }
        return (try? CommandInformation(of: command))?.takesValue(word) ?? false
    }

    /// The query of shielded arguments, as the user wrote it.
    static func query(_ terms: [String]) -> String { terms.map(written).joined(separator: " ") }

    /// A shielded argument as the user wrote it: outside of a query the blank would mean something.
    static func written(_ argument: String) -> String {
        guard argument.hasPrefix(" "), isNegatedTerm(String(argument.dropFirst())) else { return argument }
        return String(argument.dropFirst())
    }

    /// Whether an argument is a dash before a group, a phrase or what looks like a key; no option has a colon in its name.
    private static func isNegatedTerm(_ argument: String) -> Bool {
        guard argument.hasPrefix("-"), !argument.hasPrefix("--") else { return false }
        let term = argument.dropFirst()
        if let first = term.first, "(\"@".contains(first) { return true }
        let word = term.prefix { $0.isASCII && $0.isLetter }
        return word.count > 1 && term.dropFirst(word.count).first == ":"
    }
}
