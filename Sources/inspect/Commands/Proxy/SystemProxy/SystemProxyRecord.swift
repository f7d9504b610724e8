import Foundation
import Traffic

/// The changes to the system's settings with the values from before, in a file that outlives this process.
struct SystemProxyRecord: Codable, Sendable {
    /// A setting with its value before the change and after it.
    struct Change: Codable, Sendable, Hashable {
        var setting: SystemSetting
        var before: String?
        var after: String
    }

    /// The proxy that the settings lead to, as `HOST:PORT`.
    let proxy: String
    /// The process that runs that proxy.
    let owner: ProcessMark
    /// The changes, in the order in which they were made.
    let changes: [Change]

    /// Reads the record in a file; `nil` where there is no file.
    ///
    /// - Throws: `InputError` when the file cannot be read as a record, or is not safe to use: the error says what to do with the file.
    static func read(at path: String, user: uid_t = geteuid()) throws -> SystemProxyRecord? {
        guard let bytes = try OwnFile(path, followsLinks: false).read(others: .mayNothing, user: user) else {
            return nil
        }
        guard let record = try? JSONDecoder().decode(SystemProxyRecord.self, from: Data(bytes)) else {
            throw InputError("\(path) cannot be read; put the system's proxy settings back by hand and remove it")
        }
        return record
    }

    /// The record with these changes only.
    func keeping(_ changes: [Change]) -> SystemProxyRecord {
        SystemProxyRecord(proxy: proxy, owner: owner, changes: changes)
    }

    /// Writes the record to the disk, whole or not at all; only its owner can read the file.
    ///
    /// - Throws: `InputError` when the file cannot be written.
    func write(at path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        let file = try OutputFile(path)
        try file.write(Array(try encoder.encode(self)))
        try file.finish(isKept: true)
    }
}
