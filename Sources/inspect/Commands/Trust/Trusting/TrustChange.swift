import Foundation
import Traffic

/// What is done at one place where roots are kept: shell commands, which are exactly what runs.
struct TrustChange: Sendable {
    /// Which way.
    enum Direction: String, Sendable { case install, uninstall }

    let store: MachineStore
    /// The folder of the place's undo record.
    let undoFolder: String
    /// The record before the change: the new one when installing; `nil` where nothing was noted when it was installed.
    let record: UndoRecord?
    let commands: [String]
    /// The digests of the files that the commands give back.
    private(set) var givenBack: [String: String] = [:]

    /// Installing: the files are copied, unless an earlier copy still is what was there before ours.
    ///
    /// - Parameters:
    ///   - store: the place.
    ///   - undoFolder: where its record is.
    ///   - isNameTaken: whether another root has our name there, and goes first.
    init(installing store: MachineStore, undoFolder: String, isNameTaken: Bool) {
        self.store = store
        self.undoFolder = undoFolder
        let install = (isNameTaken ? store.uninstall : []) + store.install
        let kept = UndoRecord.read(in: undoFolder)
        if let kept, kept.isDone, kept.files.allSatisfy({ kept.isUntouched($0, in: undoFolder) }) {
            record = kept
            commands = install
            return
        }
        let record = UndoRecord(store, in: undoFolder, over: kept)
        self.record = record
        let copies = record.files.compactMap { file in
            file.copy.map {
                "\(store.prefix)cp -a \(ShellWord(posix: file.path)) \(ShellWord(posix: undoFolder + "/" + $0))"
            }
        }
        commands = (copies.isEmpty ? [] : ["mkdir -p \(ShellWord(posix: undoFolder))"]) + copies + install
    }

    /// The record to be written before anything is changed; an existing record stays as it is.
    var recordBefore: UndoRecord? {
        guard var record, !record.isDone else { return record }
        record.begin()
        return record
    }

    /// Taking back: files that nothing else changed get their copies; where there are others, the root alone is taken out.
    ///
    /// So it is from a database that a browser has open: what that writes later would go to the file that was replaced, and be lost with it. And so it
    /// is where the copies may hold the root, which giving them back would leave there.
    ///
    /// - Parameters:
    ///   - store: the place.
    ///   - undoFolder: where its record is.
    ///   - isInstalled: whether the root is there to be taken out.
    ///   - digests: of the files that earlier changes give back.
    init(uninstalling store: MachineStore, undoFolder: String, isInstalled: Bool, after digests: [String: String]) {
        self.store = store
        self.undoFolder = undoFolder
        record = UndoRecord.read(in: undoFolder)
        let untouched =
            record.map { record in
                record.files.filter {
                    record.mayHoldRoot != true && record.isUntouched($0, in: undoFolder, after: digests)
                        && Self.holdsOthers($0, store, undoFolder)
                }
            } ?? []
        let isInUse = store.kind == .browser && OpenFiles.hold(anyOf: store.files)
        let isWhole = store.isWhole && record != nil && untouched.count == record?.files.count && !isInUse
        let isOut = isWhole || (store.isWhole && !isInstalled)
        let removal =
            isOut ? [] : store.uninstall.map { $0.replacing("@undo@", with: "\(ShellWord(posix: undoFolder))") }
        let isMending = isWhole || !store.isWhole
        let given = isMending ? untouched.map { Self.giveBack($0, store.prefix, undoFolder) } : []
        let folders = isWhole ? (record?.folders ?? []).map { "rmdir \(ShellWord(posix: $0)) 2>/dev/null || true" } : []
        let needsFolder = removal.contains { $0.contains("\(ShellWord(posix: undoFolder))") }
        if isMending {
            for file in untouched {
                givenBack[file.path] = file.copy.flatMap { UndoRecord.digest(undoFolder + "/" + $0) }
            }
        }
        // What root copied is root's to take away.
        let end = record == nil && !needsFolder ? [] : ["\(store.prefix)rm -rf \(ShellWord(posix: undoFolder))"]
        commands = (needsFolder ? ["mkdir -p \(ShellWord(posix: undoFolder))"] : []) + removal + given + folders + end
    }

    /// Whether a copy has all other roots of inspect's that the place has now: giving it back would have one that came since trusted in part.
    ///
    /// A root that cannot be read may be any root, so the copy counts as without it.
    private static func holdsOthers(_ file: UndoRecord.File, _ store: MachineStore, _ undoFolder: String) -> Bool {
        guard case .bundle(let path) = store.probe, let copy = file.copy else { return true }
        let kept = "\(undoFolder)/\(copy)\(path.dropFirst(file.path.count))"
        return store.others.allSatisfy { other in
            let content = FileManager.default.contents(atPath: other) ?? Data()
            return PEMFile(path: kept).holds(String(decoding: content, as: UTF8.self))
        }
    }

    /// A file gets its copy by a renaming, so that whoever has it open keeps a whole one; a folder what it had, each under its name.
    private static func giveBack(_ file: UndoRecord.File, _ prefix: String, _ undoFolder: String) -> String {
        let path = ShellWord(posix: file.path)
        guard let copy = file.copy else { return "\(prefix)rm -f \(path)" }
        let kept = undoFolder + "/" + copy
        if UndoRecord.isFolder(kept) {
            return
                "\(prefix)cp -a --remove-destination \(ShellWord(posix: kept + "/.")) \(ShellWord(posix: file.path + "/"))"
        }
        let new = ShellWord(posix: file.path + ".inspect-undo")
        return "\(prefix)cp -a \(ShellWord(posix: kept)) \(new) && \(prefix)mv -f \(new) \(path)"
    }
}
