import ArgumentParser
import Traffic

/// `inspect rules import`: the rules of another program as a rules file of ours.
struct RulesImportCommand: AsyncParsableCommand {
    /// Bytes of a file.
    private static let limitBytes = 4 << 20

    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Print the rules of Charles, Fiddler or mitmproxy.",
        discussion: """
            It reads the XML that Charles exports of its tools (rewrite, map remote, map local, block list), Fiddler Classic's .farx file, and \
            mitmproxy's config.yaml, and prints YAML. Every rule is off, and a comment in front of it says what could not be said.

            Examples:
              inspect rules import rewrite.xml > rules.yaml
              inspect rules import rules.farx > rules.yaml
              inspect rules import ~/.mitmproxy/config.yaml
            """
    )

    @Argument(help: ArgumentHelp("The file.", valueName: "file"), completion: .file())
    var file: String

    func run() async throws {
        let rules = try ImportedRules(try text(), path: file)
        let console = Console()
        try console.write(Array(rules.text.utf8))
        try console.flush()
        Console.remark("inspect: \(rules.summary)")
    }

    private func text() throws -> String {
        do {
            let opened = try OpenedFile(file)
            guard opened.length <= Self.limitBytes else { throw InputError("\(file) is over 4 MiB") }
            let bytes = try opened.read(at: 0, count: opened.length)
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw InputError("\(file) is no UTF-8 text")
            }
            return text
        } catch let fault as RuleFault {
            throw InputError(fault.sentence)
        }
    }
}
