import Foundation

/// Whether this user may believe a file, or keep one in a folder: whose it is, and who else may write it.
///
/// What another user wrote could be anything: a root whose key he has, a token that he knows, the address of a proxy that is his. So a file of ours
/// belongs to this user or to root, and nobody else may write it. Judged is what `fstat` says of an opened file: what a name led to a moment before
/// says nothing.
package enum FileOwnership {
    /// What others may do with a file that is believed.
    package enum Others: Sendable {
        case mayRead
        /// Only the file's group may read it.
        case groupMayRead
        case mayNothing

        /// The permission bits that none may have.
        fileprivate var forbidden: mode_t {
            switch self {
            case .mayRead: 0o022
            case .groupMayRead: 0o027
            case .mayNothing: 0o077
            }
        }

        /// The mode that a file of its owner may have, for `chmod`.
        package var mode: UInt16 {
            switch self {
            case .mayRead: 0o644
            case .groupMayRead: 0o640
            case .mayNothing: 0o600
            }
        }
    }

    /// Why a file is not believed; printed, it goes on after the file's name.
    package enum Problem: Error, Equatable, Sendable, CustomStringConvertible {
        /// It is a folder, a pipe, a socket or a device.
        case notAFile
        /// It belongs to the user of this number.
        case owner(UInt32)
        /// Other users may do more than they should; the nine permission bits.
        case mode(UInt16)

        package var description: String {
            switch self {
            case .notAFile: "is not a file"
            case .owner(let number): "belongs to another user (number \(number))"
            case .mode(let mode): "is open to other users of this machine (mode \(String(mode, radix: 8)))"
            }
        }
    }

    /// Looks at a file.
    ///
    /// - Parameters:
    ///   - status: what `fstat` says of it.
    ///   - others: what other users may do with it.
    ///   - user: who asks.
    /// - Returns: what is wrong with it; `nil` where it may be believed.
    package static func problem(of status: stat, others: Others, user: uid_t = geteuid()) -> Problem? {
        guard status.st_mode & S_IFMT == S_IFREG else { return .notAFile }
        return problem(of: status, forbidden: others.forbidden, user: user)
    }

    /// What is wrong with a folder into which nobody but this user and root may look; `nil` where nothing is.
    package static func problem(ofPrivateFolder status: stat, user: uid_t = geteuid()) -> Problem? {
        problem(of: status, forbidden: 0o077, user: user)
    }

    /// Whether any user of the machine may put another file in the place of ours in a folder.
    ///
    /// In a folder such as `/tmp` (sticky, inode(7)) only a file's owner may. That a group may write does not count: often it is that of one user, and
    /// what one of its members puts there belongs to him.
    package static func isOpenToAll(folder status: stat) -> Bool {
        status.st_mode & S_IWOTH != 0 && status.st_mode & S_ISVTX == 0
    }

    /// Whether nobody laid a file or a link in a user's way.
    ///
    /// In a directory where everyone may make names it has to belong to the user or to the directory's owner. Of sticky
    /// directories the kernel asks the same where it follows links itself (proc_sys_fs(5), `protected_symlinks`, `protected_fifos`).
    package static func isOurs(_ file: stat, in directory: stat, user: uid_t = geteuid()) -> Bool {
        directory.st_mode & S_IWOTH == 0 || file.st_uid == user || file.st_uid == directory.st_uid
    }

    private static func problem(of status: stat, forbidden: mode_t, user: uid_t) -> Problem? {
        guard status.st_uid == user || status.st_uid == 0 else { return .owner(status.st_uid) }
        return status.st_mode & forbidden == 0 ? nil : .mode(UInt16(status.st_mode & 0o777))
    }
}
