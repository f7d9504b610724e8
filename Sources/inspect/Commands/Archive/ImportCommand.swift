import ArgumentParser
import Traffic

/// `inspect import FILE…`: archives into the store.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Read HAR files or exports into the store.",
        discussion: """
            It reads HAR of Chrome, Firefox, Safari, Charles, mitmproxy, Proxyman, Fiddler and others, and JSON and JSON lines of 'inspect export', \
            also packed with gzip; - is standard input. It reads files of any size piece by piece, repairs what is wrong with an entry and reports \
            each repair. A proxy that runs on the store does the import. An export of inspect comes back with the same numbers in an empty store. \
            Where a file breaks off, the complete exchanges are imported and the exit status is 2. 'inspect start' and 'inspect import' report an \
            earlier import that was stopped midway.
            """
    )

    @Argument(help: ArgumentHelp("The files; - for standard input.", valueName: "file"), completion: .file())
    var files: [String]

    @Option(
        help: ArgumentHelp(
            "Put all of it into a session of this name, in place of the sessions that the files name.",
            valueName: "name"
        )
    )
    var session: String?

    @OptionGroup var store: StoreOptions

    mutating func validate() throws {
        if let session, let problem = SessionName.problem(of: session) { throw ValidationError("--session \(problem)") }
    }

    func run() async throws {
        let progress = Progress(catchesInterrupts: true)
        let archives = try files.map { try ArchiveFile($0, progress: progress) }
        let console = Console()
        let importer = Importer(store: store.path, session: session, progress: progress, console: console)
        let broken = try await importer.run(archives)
        try console.flush()
        if !broken.isEmpty { throw InputError(broken.joined(separator: "; ") + "; what was whole before is imported") }
    }
}
