package import Logging

extension Logger {
    /// A logger that writes nothing: for a program whose errors reach its user by another way.
    package static var silent: Logger { Logger(label: "silent") { _ in SwiftLogNoOpLogHandler() } }
}
