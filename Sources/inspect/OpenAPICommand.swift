import ArgumentParser

/// `inspect openapi`: what concerns OpenAPI documents alone.
struct OpenAPICommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openapi",
        abstract: "Learn an OpenAPI document from captures; 'check --openapi FILE' holds captures to one.",
        subcommands: [OpenAPIInferCommand.self]
    )
}
