package import Foundation
import Traffic

/// Why a root certificate cannot be used or a leaf cannot be minted.
///
/// Printed, it is a sentence for the user. The sentence names no option and no command of the program: the caller knows which of them help.
package enum TrustError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The directory or a file in it cannot be made, read or written; `reason` is the system's.
    case unusable(path: String, reason: String)
    /// Other users can read the directory or the key, or write a file; `mode` is the nine permission bits.
    case openToOthers(path: String, mode: UInt16, wanted: UInt16)
    /// The directory or a file in it belongs to another user, who may have the root's key.
    case foreign(path: String, owner: UInt32)
    /// A file is there but does not hold what its name says.
    case corrupt(path: String, problem: String)
    /// The certificate is not the key's.
    case mismatch(certificate: String, key: String)
    /// One half of the pair is gone.
    case missing(path: String, other: String)
    /// The root's time is over; `root` is its path, or its name when it came from no file.
    case expired(root: String, on: Date)
    /// The root's time has not begun, which most often means a wrong clock.
    case notYetValid(root: String, from: Date)
    /// Another process held the directory for longer than a root takes to make.
    case busy(directory: String)
    /// No certificate may hold the name.
    case invalidName(String, String)
    /// The cryptographic library refused; `reason` is its own text.
    case unsignable(String)

    package var description: String {
        switch self {
        case .unusable(let path, let reason):
            "\(path) cannot be used: \(reason)."
        case .openToOthers(let path, let mode, let wanted):
            "\(path) is open to other users of this machine (mode \(octal(mode)))."
                + " Run: chmod \(octal(wanted)) \(ShellWord(path))"
        case .foreign(let path, let owner):
            "\(path) belongs to another user (number \(owner)), who may have the root's key."
        case .corrupt(let path, let problem):
            "\(path) \(problem). Restore it from a copy, or move both root.pem and root-key.pem away"
                + " to have a new root made."
        case .mismatch(let certificate, let key):
            "\(certificate) does not belong to the key in \(key). Restore the right one from a copy,"
                + " or move both away to have a new root made."
        case .missing(let path, let other):
            "\(path) is missing while \(other) is there. Restore it from a copy,"
                + " or move the other away to have a new root made."
        case .expired(let root, let date):
            "\(root) expired on \(day(date)). Move its directory away to have a new root made, then trust that one."
        case .notYetValid(let root, let date):
            "\(root) is not valid before \(day(date)). Check this machine's clock."
        case .busy(let directory):
            "\(directory) is held by another process that is making a root. Try again when it has ended."
        case .invalidName(let name, let problem):
            "\(printable(name)) is not a name a certificate can hold: \(problem)."
        case .unsignable(let reason):
            "The certificate could not be signed: \(reason)."
        }
    }
}

private func octal(_ mode: UInt16) -> String { String(mode, radix: 8) }

private func day(_ date: Date) -> String { date.formatted(.iso8601.year().month().day()) }

/// The name in quotes, without what could break a line or fill a screen: it may come from a hostile client.
private func printable(_ name: String) -> String {
    let shown = name.unicodeScalars.prefix(80).map { $0.escaped(asASCII: true) }.joined()
    return "\"\(shown)\(name.unicodeScalars.count > 80 ? "…" : "")\""
}
