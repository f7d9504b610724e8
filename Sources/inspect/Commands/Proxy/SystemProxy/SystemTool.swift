import Foundation

/// A program of the system's that settings are read and written with.
struct SystemTool: Sendable {
    /// Its file.
    let path: String

    /// Looks for a program where a shell would.
    init?(_ name: String, environment: [String: String]) {
        guard let found = ProgramFile.find(name, path: environment["PATH"]) else { return nil }
        path = found
    }

    /// Runs it to its end.
    ///
    /// - Parameters:
    ///   - arguments: for it.
    ///   - added: variables beside those of this process.
    /// - Returns: what it printed, without the last line's end.
    /// - Throws: `InputError` with its own words when it fails.
    func run(_ arguments: [String], adding added: [String: String] = [:]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(added) { _, new in new }
        let (output, errors) = (Pipe(), Pipe())
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        do { try process.run() } catch { throw InputError("\(path) cannot be started: \(error)") }
        // What these programs print fits into the pipes' buffers, so that neither waits for the other to be read.
        let printed = output.fileHandleForReading.readDataToEndOfFile()
        let complaint = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let line = String(decoding: complaint, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            let command = ([path] + arguments).map(ShellText.quoted).joined(separator: " ")
            throw InputError("\(command) failed (\(process.terminationStatus)): \(line)")
        }
        var text = String(decoding: printed, as: UTF8.self)
        if text.hasSuffix("\n") { text.removeLast() }
        return text
    }
}
