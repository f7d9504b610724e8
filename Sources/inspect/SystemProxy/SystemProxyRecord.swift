import Foundation
import Traffic

/// What was changed of the system and how it was before, in a file that outlives this process.
struct SystemProxyRecord: Codable, Sendable {
    /// A setting before and after.
    struct Change: Codable, Sendable, Hashable {
        var setting: SystemSetting
        var before: String?
        var after: String
    }

    /// The proxy that it was changed for.
    let proxy: String
    /// The process that runs that proxy.
    let owner: ProcessMark
    /// In the order in which they were made.
    let changes: [Change]

    /// Reads what was written; `nil` where nothing was.
    ///
    /// - Throws: `InputError` when the file is there but says nothing.
    static func read(at path: String) throws -> SystemProxyRecord? {
        guard let bytes = FileManager.default.contents(atPath: path) else { return nil }
        guard let record = try? JSONDecoder().decode(SystemProxyRecord.self, from: bytes) else {
            throw InputError("\(path) cannot be read; put the system's proxy settings back by hand and remove it")
        }
        return record
    }

    /// Writes it, readable by its owner only, before anything is changed.
    ///
    /// - Throws: `InputError` when it cannot be written, or is there already.
    func write(at path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        let bytes = try encoder.encode(self)
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        try? FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw InputError(
                "cannot write \(path), without which nothing could be put back: \(String(cString: strerror(errno)))"
            )
        }
        defer { close(descriptor) }
        try Console.write(Array(bytes), to: descriptor)
        fsync(descriptor)
    }
}
