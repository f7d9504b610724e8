import ArgumentParser

/// How `inspect export --format openapi` writes its document.
struct OpenAPIExportOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "What the document calls the API.",
            discussion: "Default: Learnt from captures.",
            valueName: "title"
        )
    )
    var title: String?

    @Flag(help: "Write YAML instead of JSON.")
    var yaml = false

    /// Whether none is given.
    var isEmpty: Bool { title == nil && !yaml }
}
