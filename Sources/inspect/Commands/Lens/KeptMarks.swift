import Foundation
import Store
import Traffic
import Trust

/// The user's marks of meetings and datasets, in a file beside the store; the apps keep theirs on the device, where no proxy sees them.
///
/// They mark no exchanges, so clearing the store leaves them. As in the apps, meetings are kept by the app's number and datasets by their title.
struct KeptMarks: Codable, Sendable, Equatable {
    /// The most marks of one kind.
    private static let limitCount = 10_000
    /// The longest file that is read.
    private static let limitBytes = 16 << 20
    /// How long a change waits for the end of another.
    private static let lockDeadline = Duration.seconds(2)

    /// Attended meetings, by the app's number.
    var attendance: Set<UInt64> = []
    /// Titles of saved datasets.
    var favourites: Set<String> = []

    /// The file that belongs to a store.
    static func path(for storePath: String) -> String { TrafficStore.file(named: storePath) + ".marks" }

    /// Reads the marks; none where nothing was kept yet.
    ///
    /// - Parameters:
    ///   - storePath: the store that the marks are beside.
    ///   - user: whose file it has to be, or root's.
    /// - Returns: the marks.
    /// - Throws: `InputError` when the file is there and cannot be read, or somebody else may have written it.
    static func read(for storePath: String, user: uid_t = geteuid()) throws -> KeptMarks {
        let path = path(for: storePath)
        let file = OwnFile(path, followsLinks: false, limitBytes: limitBytes)
        guard let bytes = try file.read(others: .mayRead, user: user) else { return KeptMarks() }
        guard let marks = try? JSONDecoder().decode(KeptMarks.self, from: Data(bytes)) else {
            throw InputError("the marks in \(path) cannot be read; fix the file or remove it")
        }
        return marks
    }

    /// Changes the marks, one process after another; the file is replaced whole.
    ///
    /// - Parameters:
    ///   - storePath: the store that the marks are beside.
    ///   - change: what is done to them.
    /// - Returns: the marks after the change.
    /// - Throws: `InputError` when the file cannot be read or written, or would hold too many.
    static func change(for storePath: String, _ change: (inout KeptMarks) -> Void) throws -> KeptMarks {
        let directory = URL(fileURLWithPath: path(for: storePath)).deletingLastPathComponent().path
        let lock = try locked(directory)
        defer { lock.release() }
        let before = try read(for: storePath)
        var marks = before
        change(&marks)
        guard marks != before else { return marks }
        guard max(marks.attendance.count, marks.favourites.count) <= limitCount else {
            throw InputError("more than \(limitCount) marks; take some away first")
        }
        let file = try OutputFile(path(for: storePath))
        try file.write(marks.bytes)
        try file.finish()
        return marks
    }

    /// Keeps marks of attendance, and takes some away.
    ///
    /// - Parameters:
    ///   - added: the app's numbers of meetings that are attended from now on.
    ///   - removed: those of meetings that are no longer.
    ///   - storePath: the store that the marks are beside.
    /// - Returns: the app's numbers of all that are attended then.
    /// - Throws: `InputError` when the marks cannot be read or written.
    static func attending(_ added: Set<UInt64>, not removed: Set<UInt64>, for storePath: String) throws -> Set<UInt64> {
        guard !added.isEmpty || !removed.isEmpty else { return try read(for: storePath).attendance }
        return try change(for: storePath) { marks in
            marks.attendance.formUnion(added)
            marks.attendance.subtract(removed)
        }.attendance
    }

    /// The file's text: the marks in order, a line each.
    private var bytes: [UInt8] {
        struct Ordered: Encodable {
            let attendance: [UInt64]
            let favourites: [String]
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        let ordered = Ordered(attendance: attendance.sorted(), favourites: favourites.sorted())
        return Array((try? encoder.encode(ordered)) ?? Data()) + [UInt8(ascii: "\n")]
    }

    /// The lock of a change; waits for the program that has it.
    private static func locked(_ directory: String) throws -> DirectoryLock {
        do {
            return try DirectoryLock(directory, deadline: lockDeadline)
        } catch .busy {
            throw InputError("another program holds \(directory) locked; try again")
        } catch {
            throw InputError("cannot open \(directory): \(error)")
        }
    }
}
