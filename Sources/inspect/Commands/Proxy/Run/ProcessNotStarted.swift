import Foundation

/// The system would not start a program.
struct ProcessNotStarted: Error, CustomStringConvertible {
    /// The system's number for why.
    let code: Int32

    var description: String { code == ENOENT ? "there is no such command" : String(cString: strerror(code)) }
}
