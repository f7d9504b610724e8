import ArgumentParser
import Trust

/// `inspect ca export`: the root certificate as a file, never its key.
struct CAExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the root certificate (never its key) as PEM or DER."
    )

    /// How the certificate is written.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case pem, der
    }

    @Option(help: "pem or der.")
    var format: Format = .pem

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("Write to this file instead of standard output.", valueName: "file"),
        completion: .file()
    )
    var output: String?

    @OptionGroup var authority: CAOptions

    func run() async throws {
        let root = try authority.openRoot()
        let bytes = format == .pem ? Array(root.pem.utf8) : root.der
        if let output {
            let file = try OutputFile(named: output, mode: 0o644)
            try file.write(bytes)
            try file.finish()
        } else {
            let console = Console()
            if format == .der, console.isTerminal {
                throw InputError("DER is no text for a terminal; give -o FILE or a pipe")
            }
            try console.write(bytes)
            try console.flush()
        }
    }
}
