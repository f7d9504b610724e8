import ArgumentParser
import Traffic

/// `inspect mark note`: what is to be remembered of an exchange.
struct MarkNoteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "note",
        abstract: "Write a note on exchanges; 'note:TEXT' finds them.",
        discussion: """
            A new note takes the place of the one before. Filter flags go with a text that does not begin with a number, or with a text in quotes.

            Examples:
              inspect mark note 12 'sent twice: the retry came too early'
              inspect mark note --since 1h '2 retries'
              inspect mark note 12 --remove
            """
    )

    @Argument(help: ArgumentHelp("Numbers of exchanges, then the text.", valueName: "id-or-text"))
    var words: [String] = []

    @OptionGroup var options: MarkOptions

    mutating func validate() throws { _ = try parts() }

    func run() async throws {
        let (selector, text) = try parts()
        var change = MarkChange()
        change.note = text
        try await options.apply(to: selector, change) { count in
            text.isEmpty ? "Note taken from \(count)" : "Note written on \(count)"
        }
    }

    private func parts() throws -> (selector: Selector, text: String) {
        let (numbers, words) = try options.split(words)
        let text = words.joined(separator: " ")
        if options.remove {
            guard text.isEmpty else { throw ValidationError("--remove takes no text") }
        } else if text.isEmpty {
            throw ValidationError("write the text after the exchange's number, or say --remove")
        }
        guard text.count <= ExchangeMarks.noteLimit else {
            throw ValidationError("a note has at most \(ExchangeMarks.noteLimit) characters")
        }
        return (try options.selector(numbers), text)
    }
}
