import ArgumentParser
import Store
import Traffic

/// `inspect rules from`: a rule made from a recorded exchange.
struct RulesFromCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "from",
        abstract: "Print a rule made from a recorded exchange.",
        discussion: """
            It is YAML for you to go on from: the rule applies to the host, the path and the method of the exchange. As a stub it answers with the \
            recorded status, fields and text; a body that is no short text is named by its exchange. As an edit it sets the status and the fields of \
            the response.

            Examples:
              inspect rules from 17 > rules.yaml
              inspect rules from 17 --as edit
            """
    )

    @Argument(help: "The number of the exchange.", transform: Selector.one)
    var id: ExchangeID

    @Option(name: .customLong("as"), help: "What the rule does: stub or edit.")
    var form = RuleSketch.Form.stub

    @OptionGroup var source: ReadingOptions

    func run() async throws {
        let isArchive = source.archive != nil
        let text = try source.read { store in
            let record = try ExchangeReader(store).record(id)
            let sketch = try RuleSketch(Capture(record, source: store.body), as: form)
            guard !isArchive || !sketch.namesExchange else {
                throw InputError(
                    "the body of exchange \(id) is no short text; import the archive, so that a rule can name the exchange"
                )
            }
            return sketch.text
        }
        let console = Console()
        try console.write(Array(text.utf8))
        try console.flush()
    }
}
