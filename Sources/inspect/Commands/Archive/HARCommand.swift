import ArgumentParser

/// `inspect har`: what concerns HAR files alone.
struct HARCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "har",
        abstract: "Check and repair HAR files of any tool.",
        subcommands: [HARCheckCommand.self]
    )
}
