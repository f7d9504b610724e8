import Archive
import Foundation
import Lenses
import Store
import Traffic

/// Takes archives into a store, or has the proxy that records into it do so, and tells what came of each.
struct Importer {
    /// The path of the store.
    let store: String
    /// The session of every imported exchange; `nil` keeps the sessions that the archives name.
    let session: String?
    let progress: Progress
    let console: Console

    /// Imports the archives one after the other.
    ///
    /// - Returns: for each archive that broke off, what is wrong with it, as one clause.
    /// - Throws: `InputError`, `StoreError`.
    func run(_ archives: [ArchiveFile]) async throws -> [String] {
        if let instance = try InstanceFile.read(for: store) {
            return try await send(archives, to: InstanceClient(instance))
        }
        let writing = try TrafficStore(path: store, access: .writing, classifier: LensSet.standard)
        let earlier = try writing.brokenImports()
        var broken: [String] = []
        do {
            for archive in archives {
                let (result, row) = try take(archive, into: writing)
                progress.clear()
                let range = row?.first.flatMap { first in row?.last.map { (first, $0) } }
                try report(archive, result.kind?.rawValue, row?.count ?? 0, range, result.lines)
                if let problem = result.broken { broken.append("\(archive.name) \(problem)") }
            }
        } catch {
            progress.clear()
            try? writing.close()
            throw error
        }
        try writing.close()
        warn(earlier)
        return broken
    }

    private func send(_ archives: [ArchiveFile], to instance: InstanceClient) async throws -> [String] {
        var broken: [String] = []
        for archive in archives {
            do {
                let answer = try await instance.importArchive(archive, session: session)
                progress.clear()
                let range = answer.first.flatMap { first in answer.last.map { (first, $0) } }
                try report(archive, answer.kind, answer.imported, range, answer.notes)
                if let problem = answer.broken { broken.append("\(archive.name) \(problem)") }
            } catch is ArchiveFile.Interrupted {
                progress.clear()
                throw InputError("stopped; what had been read of \(archive.name) is in the store of the running proxy")
            }
        }
        return broken
    }

    private func take(_ file: ArchiveFile, into store: TrafficStore) throws -> (ImportReport, ArchiveImportRow?) {
        let archive = try ArchiveImport(into: store, name: file.name, session: session)
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
        _ notes: [String]
    ) throws {
        let numbers = range.map { $0.0 == $0.1 ? ", \($0.0)" : ", \($0.0) to \($0.1)" } ?? ""
        let what = count.counted("exchange")
        let source = kind.map { " of \($0)" } ?? ""
        try console.line("\(VisibleText.line(file.name)): imported \(what)\(source)\(numbers)")
        try console.flush()
        tell(notes)
    }

    private func warn(_ rows: [ArchiveImportRow]) { tell(rows.map { "inspect: note: \($0.warning)" }) }

    /// Tells the user on standard error.
    private func tell(_ lines: [String]) {
        for line in lines { Console.remark(VisibleText.line(line)) }
    }
}
