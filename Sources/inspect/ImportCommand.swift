import ArgumentParser
import Foundation
import Lenses
import Store
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

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let progress = Progress(catchesInterrupts: true)
        let archives = try files.map { try ArchiveFile($0, progress: progress) }
        let console = Console()
        var broken: [String] = []
        if let instance = try InstanceFile.read(for: store.path) {
            for archive in archives {
                do {
                    let answer = try await InstanceClient(instance).importArchive(archive)
                    progress.clear()
                    let range = answer.first.flatMap { first in answer.last.map { (first, $0) } }
                    try report(archive, answer.kind, answer.imported, range, answer.notes, console)
                    if let problem = answer.broken { broken.append("\(archive.name) \(problem)") }
                } catch is ArchiveFile.Interrupted {
                    progress.clear()
                    throw InputError(
                        "stopped; what had been read of \(archive.name) is in the store of the running proxy"
                    )
                }
            }
        } else {
            let writing = try TrafficStore(path: store.path, access: .writing, classifier: LensSet.standard)
            let earlier = try writing.brokenImports()
            do {
                for archive in archives {
                    let (result, row) = try take(archive, into: writing)
                    progress.clear()
                    let range = row?.first.flatMap { first in row?.last.map { (first, $0) } }
                    try report(archive, result.kind?.rawValue, row?.count ?? 0, range, result.lines, console)
                    if let problem = result.broken { broken.append("\(archive.name) \(problem)") }
                }
            } catch {
                progress.clear()
                try? writing.close()
                throw error
            }
            try writing.close()
            try warn(earlier)
        }
        try console.flush()
        if !broken.isEmpty { throw InputError(broken.joined(separator: "; ") + "; what was whole before is imported") }
    }

    private func take(_ file: ArchiveFile, into store: TrafficStore) throws -> (ImportReport, ArchiveImportRow?) {
        let archive = try ArchiveImport(into: store, name: file.name)
        do {
            while !archive.isBroken {
                let bytes = try file.next()
                if bytes.isEmpty { break }
                try archive.write(bytes)
            }
        } catch is ArchiveFile.Interrupted {
            let row = try archive.breakOff()
            throw InputError("stopped within \(file.name): \(row?.range ?? "nothing was imported")")
        }
        return try archive.finish()
    }

    private func report(
        _ file: ArchiveFile,
        _ kind: String?,
        _ count: Int64,
        _ range: (ExchangeID, ExchangeID)?,
        _ notes: [String],
        _ console: Console
    ) throws {
        let numbers = range.map { $0.0 == $0.1 ? ", \($0.0)" : ", \($0.0) to \($0.1)" } ?? ""
        let what = count == 1 ? "1 exchange" : "\(count) exchanges"
        let source = kind.map { " of \($0)" } ?? ""
        try console.line("\(TerminalText.escaped(file.name)): imported \(what)\(source)\(numbers)")
        try console.flush()
        let errors = Console(descriptor: STDERR_FILENO)
        for note in notes { try errors.line(TerminalText.escaped(note)) }
        try errors.flush()
    }

    private func warn(_ rows: [ArchiveImportRow]) throws {
        let errors = Console(descriptor: STDERR_FILENO)
        for row in rows { try errors.line("inspect: note: \(TerminalText.escaped(row.warning))") }
        try errors.flush()
    }
}
