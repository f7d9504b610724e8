import ArgumentParser
import Lenses

/// `--openapi`: the document that captures are held to.
struct OpenAPIOptions: ParsableArguments {
    @Option(
        name: .customLong("openapi"),
        help: ArgumentHelp(
            "Hold captures to this OpenAPI document too.",
            discussion:
                "It checks exchanges with the document's servers (any server, where it names none), and those that a local server answers in their place.",
            valueName: "file"
        ),
        completion: .file()
    )
    var file: String?

    @Flag(help: "Take every host for one of the document's servers.")
    var anyHost = false

    mutating func validate() throws {
        if anyHost, file == nil { throw ValidationError("--any-host goes with --openapi FILE") }
    }

    /// The check by the document; `nil` where none is given.
    ///
    /// - Throws: `InputError` when the file cannot be read or is no OpenAPI document.
    func check() throws -> OpenAPICheck? {
        try file.map { OpenAPICheck(try OpenAPIFile.document(at: $0), takesAnyHost: anyHost) }
    }
}
