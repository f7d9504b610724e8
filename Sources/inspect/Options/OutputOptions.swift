import ArgumentParser

/// The form in which a command writes its report: lines, or `--json`, and when the lines have colours.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var colours: ColourOptions
}
