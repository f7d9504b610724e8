import Traffic

/// A spelling of an earlier version: it still works, stands in no help and no completion, and a remark names the spelling of today.
///
/// Spellings are replaced before the parser reads the command line, so that no command has to know how it was called once.
struct FormerSpelling: Sendable {
    /// The present command that a former option belongs to; empty where the command itself had another name.
    private let command: [String]
    /// What was written: the words of a command, or a long option with its dashes.
    private let former: [String]
    /// What is written now; the value of a former option is the last word's.
    private let current: [String]
    /// What was text even where it was numbers alone, which select exchanges today; `nil` for nothing.
    private let text: Quoted?

    /// A part of a command line that was text.
    enum Quoted {
        /// The value of an option of today, with its dashes.
        case value(String)
        /// The words behind a name.
        case terms
    }

    /// A command that has another name now, and perhaps an option.
    ///
    /// - Parameters:
    ///   - former: the words that called it: `saved remove`.
    ///   - current: the words that do now: `saved --remove`.
    ///   - text: what of its command line was text; nothing unless given.
    /// - Returns: the spelling.
    static func command(_ former: String, isNow current: String, text: Quoted? = nil) -> FormerSpelling {
        FormerSpelling(command: [], former: words(former), current: words(current), text: text)
    }

    /// An option that has another name now.
    ///
    /// - Parameters:
    ///   - former: its long name, with dashes.
    ///   - command: the words of today that call the command.
    ///   - current: the words in its place.
    ///   - text: what of its command line was text; nothing unless given.
    /// - Returns: the spelling.
    static func option(
        _ former: String,
        of command: String,
        isNow current: String,
        text: Quoted? = nil
    ) -> FormerSpelling {
        FormerSpelling(command: words(command), former: words(former), current: words(current), text: text)
    }

    /// A command line in the spelling of today.
    ///
    /// - Parameters:
    ///   - arguments: the command line without the program's name.
    ///   - spellings: the known former spellings.
    /// - Returns: the words to read in its place, and a remark for each former spelling in it, said once however often it stands there.
    static func replaced(
        in arguments: [String],
        by spellings: [FormerSpelling] = all
    ) -> (words: [String], remarks: [String]) {
        var words = arguments
        var found: [FormerSpelling] = []
        let isHelp = ["help", "man"].contains(words.first)
        let start = isHelp ? 1 : 0
        if let spelling = spellings.first(where: { $0.command.isEmpty && words[start...].starts(with: $0.former) }) {
            // A page is asked of a command, whatever options stand behind it.
            let current = isHelp ? Array(spelling.current.prefix { !$0.hasPrefix("-") }) : spelling.current
            words.replaceSubrange(start..<(start + spelling.former.count), with: current)
            found.append(spelling)
        }
        let path = CommandPath(words)
        let options = spellings.filter { spelling in
            !spelling.command.isEmpty && spelling.command == path.names && words.contains(where: spelling.isWritten)
        }
        guard !options.isEmpty || found.contains(where: { $0.text != nil }), let command = path.command,
            let information = try? CommandInformation(of: command)
        else { return (words, found.map(\.remark)) }
        let first = path.names.count
        for spelling in options {
            var isWritten = false
            while let place = spelling.place(in: words, from: first, of: information) {
                words.replaceSubrange(place...place, with: spelling.words(for: words[place]))
                isWritten = true
            }
            if isWritten { found.append(spelling) }
        }
        if !isHelp { for spelling in found { spelling.quoteNumbers(in: &words, from: first, of: information) } }
        return (words, found.map(\.remark))
    }

    /// Puts the numbers of what was text into quotation marks, without which they would name exchanges.
    ///
    /// - Parameters:
    ///   - words: the command line.
    ///   - start: where the words behind the command's name begin.
    ///   - information: the options of the command.
    private func quoteNumbers(in words: inout [String], from start: Int, of information: CommandInformation) {
        guard let text else { return }
        let own = start..<(start + information.split(Array(words[start...])).own.count)
        switch text {
        case .value(let option):
            for index in own {
                if words[index].hasPrefix(option + "=") {
                    words[index] = option + "=" + Self.quoted(String(words[index].dropFirst(option.count + 1)))
                } else if index > start, words[index - 1] == option {
                    words[index] = Self.quoted(words[index])
                }
            }
        case .terms:
            let terms = own.filter { !words[$0].hasPrefix("-") && !information.takesValue(words[$0 - 1]) }.dropFirst()
            guard terms.allSatisfy({ SelectorText.isNumbers(words[$0]) }) else { return }
            for index in terms { words[index] = Self.quoted(words[index]) }
        }
    }

    /// Puts each word of a text of numbers alone into quotation marks; returns any other text unchanged.
    private static func quoted(_ text: String) -> String {
        guard SelectorText.isNumbers(text) else { return text }
        return text.split(whereSeparator: \.isWhitespace).map { "\"\($0)\"" }.joined(separator: " ")
    }

    /// The sentence that names both spellings; each is the words behind the program's name.
    static func remark(_ former: String, isNow current: String) -> String {
        "'inspect \(former)' is now 'inspect \(current)'"
    }

    private var remark: String {
        FormerSpelling.remark(
            (command + former).joined(separator: " "),
            isNow: (command + current).joined(separator: " ")
        )
    }

    /// Where the option stands among the command's own words, and not among those of a program that the command runs.
    private func place(in words: [String], from start: Int, of information: CommandInformation) -> Int? {
        // The parser does not know the option any more, so it is the first word that is no word of the command.
        let own = information.split(Array(words[start...])).own.count
        return words[start...].prefix(own + 1).firstIndex(where: isWritten)
    }

    private func isWritten(_ word: String) -> Bool {
        former.contains { word == $0 || word.hasPrefix($0 + "=") }
    }

    /// The words that replace a word; a value behind `=` goes to the last of them.
    private func words(for word: String) -> [String] {
        let value = word.drop { $0 != "=" }
        return current.dropLast() + current.suffix(1).map { $0 + value }
    }

    private static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
}
