package import Foundation

/// Makes a file another user's, as far as this user can.
package enum ForeignOwner {
    /// A number that no user of a test machine has.
    private static let number: uid_t = 60_123

    /// Gives a file away where this user is root, and leaves it to him where he is not.
    ///
    /// - Parameter path: the file, folder or link.
    /// - Returns: a user whose it is not, to ask as.
    /// - Throws: when it cannot be given away.
    package static func give(_ path: String) throws -> uid_t {
        guard geteuid() == 0 else { return geteuid() + 1 }
        guard lchown(path, number, number) == 0 else { throw CocoaError(.fileWriteNoPermission) }
        return 0
    }
}
