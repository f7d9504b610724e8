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
    /// - Throws: `InputError` when the file is there but says nothing, or is not ours to believe: it says what is to be written where.
    static func read(at path: String, user: uid_t = geteuid()) throws -> SystemProxyRecord? {
        guard let bytes = try OwnFile(path, followsLinks: false).read(others: .mayNothing, user: user) else {
            return nil
        }
        guard let record = try? JSONDecoder().decode(SystemProxyRecord.self, from: Data(bytes)) else {
            throw InputError("\(path) cannot be read; put the system's proxy settings back by hand and remove it")
        }
        return record
    }

    /// The same with some changes only.
    func keeping(_ changes: [Change]) -> SystemProxyRecord {
        SystemProxyRecord(proxy: proxy, owner: owner, changes: changes)
    }

    /// Writes it, whole or not at all, and to the disk, readable by its owner only, before anything is changed.
    ///
    /// - Throws: `InputError` when it cannot be written.
    func write(at path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        let file = try OutputFile(path)
        try file.write(Array(try encoder.encode(self)))
        try file.finish(isKept: true)
    }
}
