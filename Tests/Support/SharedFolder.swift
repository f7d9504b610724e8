import Foundation

/// The folder of the system's that belongs to root and in which every user may make files.
package enum SharedFolder {
    /// Gives a name in it that nothing has; what has it at the end is removed.
    package static func withName<Result>(_ body: (_ path: String) throws -> Result) rethrows -> Result {
        let path = "/tmp/inspect-test-\(UUID().uuidString)"
        defer { unlink(path) }
        return try body(path)
    }
}
