import Archive
import Foundation
import Lenses
import Store

/// An archive as a store of its own, gone with the value that made it, or with the process when a signal ends that.
final class TemporaryArchiveStore: Sendable {
    /// Opened for reading.
    let store: TrafficStore
    private let directory: String

    /// Reads an archive whole.
    ///
    /// - Parameters:
    ///   - path: the archive's.
    ///   - home: the path of the user's store, which is opened only for a query that names a saved search.
    /// - Throws: `InputError` when it cannot be read to its end.
    init(_ path: String, savedIn home: String) throws {
        let (place, writing) = try TemporaryFolders.ofProcess.make {
            try TrafficStore(path: $0 + "/archive.db", access: .writing, classifier: LensSet.standard)
        }
        directory = place
        do {
            let progress = Progress()
            let file = try ArchiveFile(path, progress: progress)
            let archive = try ArchiveImport(into: writing, name: file.name)
            while !archive.isBroken {
                let bytes = try file.next()
                if bytes.isEmpty { break }
                try archive.write(bytes)
            }
            let (report, _) = try archive.finish()
            progress.clear()
            try writing.close()
            if let problem = report.broken { throw InputError("\(file.name) \(problem)") }
            if report.leftOutCount > 0 {
                throw InputError("\(file.name): \(report.leftOut.first ?? "an entry cannot be read")")
            }
            store = try TrafficStore(
                path: place + "/archive.db",
                access: .reading,
                judge: LensSet.standard,
                searches: {
                    let store = try TrafficStore(path: home, access: .reading)
                    defer { try? store.close() }
                    return try store.savedSearches()
                }
            )
        } catch {
            TemporaryFolders.ofProcess.remove(place)
            throw error
        }
    }

    deinit {
        try? store.close()
        TemporaryFolders.ofProcess.remove(directory)
    }
}
