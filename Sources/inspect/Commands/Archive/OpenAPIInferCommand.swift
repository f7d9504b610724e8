import ArgumentParser
import Foundation
import Lenses
import Store
import Traffic

/// `inspect openapi infer`: an OpenAPI document of the API that was captured.
struct OpenAPIInferCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "infer",
        abstract: "Write an OpenAPI 3.1 document that the matching exchanges keep to.",
        discussion: """
            It writes paths with identifiers left open, parameters, bodies and answers, with what all captures have in common. A member that always \
            came is required; a few words that came often are an enumeration. Examples are cut short and masked as in 'export --share'; read the \
            document before you hand it on.

            Examples:
              inspect openapi infer 'host:api.example.com' --title 'Example' -o api.json
              inspect check --openapi api.json --rule OA
            """
    )

    @Option(help: ArgumentHelp("What the document calls the API.", valueName: "title"))
    var title = "Learnt from captures"

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("Write to this file instead of standard output.", valueName: "file"),
        completion: .file()
    )
    var output: String?

    @Flag(help: "Write YAML instead of JSON.")
    var yaml = false

    @OptionGroup var store: StoreOptions
    @OptionGroup(title: "Filter") var filter: FilterOptions

    func run() async throws {
        let store = try store.openForReading()
        let selection = try CheckSelection(filter, in: store, now: Date())
        let learner = try OpenAPIInference(store: store).learner(of: selection.filter)
        guard learner.count > 0 else {
            throw InputError("no exchange to learn from: \(selection.title)")
        }
        let document = learner.document(title: title)
        let bytes = try OpenAPIInference.bytes(of: document, asYAML: yaml)
        if let output {
            let file = try OutputFile(named: output, mode: 0o644)
            try file.write(bytes)
            try file.finish()
        } else {
            let console = Console()
            try console.write(bytes)
            try console.flush()
        }
        for line in OpenAPIInference.notes(learner, document) { Console.remark("inspect: \(line)") }
    }
}
