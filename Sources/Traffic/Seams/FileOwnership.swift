package import Foundation

/// Judges whether a file or a folder is safe to use, by who owns it and who else may write it.
///
/// A file that another user wrote could hold anything: a root whose key that user has, a token that they know, the address of a proxy of theirs. So a
/// file of ours belongs to this user or to root, and nobody else may write it. The caller opens the file first and passes what `fstat` says of it,
/// because a name may lead to another file a moment later.
package enum FileOwnership {
    /// What other users may do with a file that is safe to use.
    package enum Others: Sendable {
        case mayRead
        /// Only the file's group may read it.
        case groupMayRead
        case mayNothing

        /// The permission bits that the file must not have.
        fileprivate var forbidden: mode_t {
            switch self {
            case .mayRead: 0o022
            case .groupMayRead: 0o027
            case .mayNothing: 0o077
            }
        }

        /// The mode to give the file, for `chmod`.
        package var mode: UInt16 {
            switch self {
            case .mayRead: 0o644
            case .groupMayRead: 0o640
            case .mayNothing: 0o600
            }
        }
    }

    /// Why a file is not safe to use, in words that follow the file's name.
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

    /// Judges a file.
    ///
    /// - Parameters:
    ///   - status: what `fstat` says of it.
    ///   - others: what other users may do with it.
    ///   - user: the number of the user who wants to use it.
    /// - Returns: what is wrong with it; `nil` where it is safe to use.
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
    /// In a sticky folder such as `/tmp` (inode(7)) only a file's owner may. A folder that a group may write does not count: often the group has one
    /// user only, and a file that another member puts there belongs to that member, which the check of the owner finds.
    package static func isOpenToAll(folder status: stat) -> Bool {
        status.st_mode & S_IWOTH != 0 && status.st_mode & S_ISVTX == 0
    }

    /// Whether a file or a link is no trap that another user laid.
    ///
    /// In a directory where everyone may create names, it must belong to the user or to the directory's owner. In sticky directories the kernel asks
    /// the same where it follows links itself (proc_sys_fs(5), `protected_symlinks`, `protected_fifos`).
    package static func isOurs(_ file: stat, in directory: stat, user: uid_t = geteuid()) -> Bool {
        directory.st_mode & S_IWOTH == 0 || file.st_uid == user || file.st_uid == directory.st_uid
    }

    private static func problem(of status: stat, forbidden: mode_t, user: uid_t) -> Problem? {
        guard status.st_uid == user || status.st_uid == 0 else { return .owner(status.st_uid) }
        return status.st_mode & forbidden == 0 ? nil : .mode(UInt16(status.st_mode & 0o777))
    }
}
