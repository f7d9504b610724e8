import Foundation

/// A directory of a test's own, removed when the test lets go of it.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("trust-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a file or directory in it.
    func file(_ name: String) -> String { path + "/" + name }

    /// Writes a file in it and returns its path.
    func write(_ text: String, to name: String) throws -> String {
        try text.write(toFile: file(name), atomically: false, encoding: .utf8)
        return file(name)
    }
}

/// The nine permission bits of a file or directory.
func mode(of path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return (attributes[.posixPermissions] as? Int ?? -1) & 0o777
}

/// Every file of a directory with its content and mode, to see that nothing changed.
func snapshot(_ directory: String) throws -> [String: String] {
    var files: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
        let path = directory + "/" + name
        let content = FileManager.default.contents(atPath: path)?.base64EncodedString() ?? "directory"
        files[name] = try "\(content) \(mode(of: path))"
    }
    return files
}
