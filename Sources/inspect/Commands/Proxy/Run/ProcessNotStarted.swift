import Foundation

/// The system did not start a program.
struct ProcessNotStarted: Error, CustomStringConvertible {
    /// The system's error number.
    let code: Int32

    var description: String { code == ENOENT ? "there is no such command" : String(cString: strerror(code)) }
}
