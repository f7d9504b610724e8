import ArgumentParser

/// `inspect openapi`: what concerns OpenAPI documents alone.
struct OpenAPICommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openapi",
        abstract: "Learn an OpenAPI document from captures.",
        discussion: "'inspect check --openapi FILE' holds captures to a document.",
        subcommands: [OpenAPIInferCommand.self]
    )
}
