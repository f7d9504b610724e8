import ArgumentParser
import Traffic

/// `inspect import FILE…`: archives into the store.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Take HAR files of any tool, or what inspect exported, into the store.",
        discussion: """
            HAR of Chrome, Firefox, Safari, Charles, mitmproxy, Proxyman, Fiddler and others, and JSON and JSON lines of 'inspect export', also packed with gzip; - is \
            standard input. Files of any size are read piece by piece. What is wrong with an entry is put right and reported. While a proxy runs on the store, it does \
            the import. Into an empty store what inspect exported comes back with the same numbers. Of a file that breaks off, the whole exchanges are imported, and \
            the exit status is 2; an import that is stopped midway is reported whenever the store is opened by 'inspect start' or 'inspect import'.
            """
    )

    @Argument(help: ArgumentHelp("The files; - for standard input.", valueName: "file"), completion: .file())
    var files: [String]

    @Option(
        help: ArgumentHelp(
            "Put all of it into a session of this name, which 'session:NAME' selects, in place of those that it names.",
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
