import Archive
import ArgumentParser
import Foundation

/// `inspect har check FILE`: what is wrong with a HAR file, and which importers break on it.
struct HARCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Say what is wrong with a HAR file.",
        discussion: """
            It prints a line for each finding: the entry, the field, and the importer that breaks on it. The exit status is 1 when there is any. \
            --repair writes the file again with all of it repaired, beside it as NAME.repaired.har or to the file that -o names; a repaired file \
            passes the check. Entries that are no JSON are left out of it.
            """
    )

    @Argument(help: ArgumentHelp("The HAR file; - for standard input.", valueName: "file"), completion: .file())
    var file: String

    @Flag(help: "Write a repaired file too.")
    var repair = false

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("Where --repair writes.", valueName: "file"),
        completion: .file()
    )
    var target: String?

    @OptionGroup var output: OutputOptions

    mutating func validate() throws {
        if target != nil, !repair { throw ValidationError("-o names the file that --repair writes; add --repair") }
        if repair, target == nil, file == "-" { throw ValidationError("--repair of standard input needs -o FILE") }
    }

    func run() throws {
        let progress = Progress()
        let archive = try ArchiveFile(file, progress: progress)
        let repaired = try repair ? OutputFile(named: target ?? HARCheckCommand.usualName(file)) : nil
        let report = HARCheckReport(archive, progress: progress, repairingTo: repaired)
        try Console(outlivesReader: true).write(report, output)
        try repaired?.finish()
        if report.count > 0 { throw ExitCode(1) }
    }

    private static func usualName(_ file: String) -> String {
        var name = file
        for ending in [".gz", ".har"] where name.hasSuffix(ending) { name.removeLast(ending.count) }
        return name + ".repaired.har"
    }
}
