import ArgumentParser

/// When a command paints what it prints: `--color`.
struct ColourOptions: ParsableArguments {
    @Option(
        name: .customLong("color"),
        help: ArgumentHelp("Write colours: auto (on a terminal), always or never.", valueName: "when")
    )
    var choice = ColourChoice.auto
}

extension ColourChoice: ExpressibleByArgument {}
