import Foundation

/// A fresh, empty directory that is gone with the value that made it.
package final class TemporaryDirectory: Sendable {
    /// Where it is, without links and without a trailing slash.
    package let path: String

    /// Makes one under the system's folder for such things, closed to other users.
    package init() throws {
        let url = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appending(path: "inspect-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: url,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        path = url.path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of something in it, there or not.
    package func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file in it.
    ///
    /// - Returns: the file's path.
    @discardableResult package func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: URL(filePath: file(name)))
        return file(name)
    }

    /// The bytes of a file in it.
    package func read(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: file(name))))
    }
}
