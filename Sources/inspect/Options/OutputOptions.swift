import ArgumentParser

/// The form in which a command writes its report: lines, or `--json`.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print one JSON object.")
    var json = false
}
