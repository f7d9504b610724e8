import Crypto
import Foundation
import Traffic

/// The state of a place before our root came: copies of its files, in a folder of the root's own directory.
struct UndoRecord: Codable, Sendable, Equatable {
    /// One file of the place, or one folder with all that is in it.
    struct File: Codable, Sendable, Equatable {
        let path: String
        /// The copy's name in the folder; `nil` where the file did not exist.
        let copy: String?
        /// The SHA-256 of what was copied; `nil` while that is unknown, or where the file did not exist.
        var before: String?
        /// The SHA-256 of what installing left; `nil` until installing is done, or where the file does not exist.
        var after: String?
    }

    var files: [File]
    /// The folders that were made, innermost first.
    let folders: [String]
    /// Whether installing ended, well or not, so that what it left is known.
    var isDone = false
    /// Whether what was copied may hold the root, of an installing before this one that did not end; `nil` in older records.
    private(set) var mayHoldRoot: Bool?

    /// What is there before anything is changed; the copies are to have names that are free in a folder.
    ///
    /// - Parameters:
    ///   - store: the place.
    ///   - undoFolder: where the copies will be.
    ///   - earlier: the record that this one takes the place of. Where that cannot say that the files are as they were before it, the root may be in them.
    init(_ store: MachineStore, in undoFolder: String, over earlier: UndoRecord?) {
        mayHoldRoot = earlier.map { $0.mayHoldRoot == true || !$0.isAsBefore }
        let taken = Set((try? FileManager.default.contentsOfDirectory(atPath: undoFolder)) ?? [])
        let round = (0...).lazy.map { "\($0)-" }.first { round in !taken.contains { $0.hasPrefix(round) } } ?? ""
        files = store.files.enumerated().map { position, path in
            File(path: path, copy: FileManager.default.fileExists(atPath: path) ? "\(round)\(position)" : nil)
        }
        var made: [String] = []
        var folder = store.folder ?? "/"
        while folder != "/", !FileManager.default.fileExists(atPath: folder) {
            made.append(folder)
            folder = URL(fileURLWithPath: folder).deletingLastPathComponent().path
        }
        folders = made
    }

    /// Whether all files are what they were before anything was changed.
    private var isAsBefore: Bool {
        files.allSatisfy { file in
            let now = Self.digest(file.path)
            return file.copy == nil ? now == nil : now != nil && now == file.before
        }
    }

    /// Notes what is about to be copied.
    mutating func begin() {
        for position in files.indices { files[position].before = Self.digest(files[position].path) }
    }

    /// Notes what installing left.
    mutating func finish() {
        for position in files.indices { files[position].after = Self.digest(files[position].path) }
        isDone = true
    }

    /// Whether a file is as installing left it, and what it was before can be given back.
    ///
    /// Installing that was killed says not what it left: then only a file that it never changed is known. A copy counts where it is what was to be
    /// copied: one may never have been made, or only in part.
    ///
    /// - Parameters:
    ///   - file: one of the record's.
    ///   - undoFolder: where the copies are.
    ///   - digests: those of files that others give back before this is asked for real.
    /// - Returns: whether the copy may take its place.
    func isUntouched(_ file: File, in undoFolder: String, after digests: [String: String] = [:]) -> Bool {
        if let copy = file.copy {
            guard let kept = Self.digest(undoFolder + "/" + copy), kept == file.before ?? kept else { return false }
        }
        return Self.digest(file.path, after: digests) == (isDone ? file.after : file.before)
    }

    /// The record in a folder; `nil` where there is none, or none that can be read.
    static func read(in folder: String) -> UndoRecord? {
        FileManager.default.contents(atPath: folder + "/record.json").flatMap {
            try? JSONDecoder().decode(UndoRecord.self, from: $0)
        }
    }

    /// Makes the folder and writes the record into it.
    func write(in folder: String) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw InputError("cannot make \(folder): \(error.localizedDescription)")
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        let file = try OutputFile(folder + "/record.json")
        try file.write(Array(try encoder.encode(self)))
        try file.finish(isKept: true)
    }

    /// The SHA-256 of a file, or of the names, links and files of a folder; `nil` where there is neither.
    ///
    /// Files whose digests are given will have these by then.
    static func digest(_ path: String, after digests: [String: String] = [:]) -> String? {
        if let given = digests[path] { return given }
        guard isFolder(path) else {
            return FileManager.default.contents(atPath: path).map { Hexadecimal.text(SHA256.hash(data: $0)) }
        }
        var whole = SHA256()
        for name in (FileManager.default.subpaths(atPath: path) ?? []).sorted() {
            let place = path + "/" + name
            let link = try? FileManager.default.destinationOfSymbolicLink(atPath: place)
            let content = link ?? (isFolder(place) ? "" : digest(place, after: digests) ?? "")
            whole.update(data: Data("\(name)\n\(content)\n".utf8))
        }
        return Hexadecimal.text(whole.finalize())
    }

    /// Whether a path names a folder, and no link to a folder.
    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
