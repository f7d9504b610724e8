import Foundation
import Traffic
import Trust

/// A small file that is believed, as `OwnedFile` reads it, with its problems as sentences.
struct OwnFile {
    /// Bytes that are read; what is longer is something else.
    static let limitBytes = 1 << 20

    let path: String
    private let followsLinks: Bool
    private let limitBytes: Int

    /// - Parameters:
    ///   - path: its name.
    ///   - followsLinks: whether the name may be a link: where a user gave it, but not where it is ours.
    ///   - limitBytes: bytes that are read.
    init(_ path: String, followsLinks: Bool, limitBytes: Int = OwnFile.limitBytes) {
        (self.path, self.followsLinks, self.limitBytes) = (path, followsLinks, limitBytes)
    }

    /// Reads it.
    ///
    /// - Parameters:
    ///   - others: what other users may do with it.
    ///   - user: the user that reads the file.
    /// - Returns: the file's bytes; `nil` where it does not exist.
    /// - Throws: `InputError` naming the file, what is wrong with it, and the remedy.
    func read(others: FileOwnership.Others, user: uid_t = geteuid()) throws -> [UInt8]? {
        do {
            let file = OwnedFile(path, limitBytes: limitBytes, followsLinks: followsLinks)
            return try file.read(others: others, user: user)
        } catch {
            switch error {
            case .system(let reason): throw unreadable(reason)
            case .ownership(let problem): throw InputError("\(path) \(problem); \(remedy(for: problem, others))")
            case .length: throw unreadable("it is too long")
            }
        }
    }

    private func unreadable(_ reason: String) -> InputError {
        InputError("\(path) cannot be read: \(reason); remove it, or name another")
    }

    private func remedy(for problem: FileOwnership.Problem, _ others: FileOwnership.Others) -> String {
        switch problem {
        case .notAFile: "remove it"
        case .owner: "run this as that user, or remove the file if you do not know it"
        case .mode: "run chmod \(String(others.mode, radix: 8)) \(ShellWord(path))"
        }
    }
}
