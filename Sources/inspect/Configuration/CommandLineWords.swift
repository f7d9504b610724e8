/// The words behind a command, with options distinguished from their values as far as that is possible before parsing.
///
/// No value of ours begins with a dash of its own accord, so a word that does is an option, up to `--`.
struct CommandLineWords {
    let words: [String]

    init(_ words: [String]) {
        self.words = Array(words.prefix { $0 != "--" })
    }

    /// Whether the words name an option by its long name, or its opposite.
    func names(_ option: ConfigurableOption) -> Bool {
        words.contains { word in CommandLineWords.name(word).map(option.isNamed) ?? false }
    }

    /// Whether the words ask for something else than the command's own work, such as help.
    var asksForHelp: Bool {
        words.contains { word in
            word == "-h" || ["help", "version", "experimental-dump-help"].contains(CommandLineWords.name(word) ?? "")
                || word.hasPrefix("--generate-completion-script")
        }
    }

    /// The values that stand for an option, in order.
    ///
    /// - Parameters:
    ///   - name: the option's long name.
    ///   - takesSeveral: whether all words up to the next option are its values.
    /// - Returns: the values; a flag has none.
    func values(of name: String, takesSeveral: Bool = false) -> [String] {
        var values: [String] = []
        for (place, word) in words.enumerated() where CommandLineWords.name(word) == name {
            if let equals = word.firstIndex(of: "=") { values.append(String(word[word.index(after: equals)...])) }
            let following = words[(place + 1)...].prefix { !$0.hasPrefix("-") || $0 == "-" }
            if takesSeveral { values += following } else if !word.contains("=") { values += following.prefix(1) }
        }
        return values
    }

    private static func name(_ word: String) -> String? {
        guard word.hasPrefix("--"), word.count > 2 else { return nil }
        return String(word.dropFirst(2).prefix { $0 != "=" })
    }
}
