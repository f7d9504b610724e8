import Foundation
import NIOPosix

/// A program that was started, with what it has said so far; it is ended with the value, if not before.
package final class RunningProcess: Sendable {
    /// What is known of a program so far.
    package struct Progress: Sendable {
        /// The bytes of its standard output.
        package var output: [UInt8] = []
        /// The bytes of its standard error.
        package var errors: [UInt8] = []
        /// Its exit status, or 128 and the signal that ended it; nil while it runs.
        package var status: Int32?
        fileprivate var openPipes = 2

        /// Whether it has ended and all that it said has been read.
        package var isComplete: Bool { status != nil && openPipes == 0 }
    }

    private let process: Process
    private let progress = Watched(Progress())
    private let name: String

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - path: the program's file.
    ///   - arguments: what follows its name.
    ///   - environment: what is set for it besides our own environment; nil takes a variable away. Proxy variables of ours never pass.
    ///   - input: the bytes of its standard input.
    /// - Throws: when the program cannot be started.
    package init(
        _ path: String,
        _ arguments: [String],
        environment: [String: String?] = [:],
        input: [UInt8] = []
    ) throws {
        process = Process()
        name = URL(filePath: path).lastPathComponent
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.environment = Self.merged(environment)
        let output = Pipe()
        let errors = Pipe()
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = try Self.readable(input)
        let progress = progress
        process.terminationHandler = { ended in
            let status = ended.terminationReason == .exit ? ended.terminationStatus : 128 + ended.terminationStatus
            progress.update { $0.status = status }
        }
        Self.collect(output, into: progress) { $0.output += $1 }
        Self.collect(errors, into: progress) { $0.errors += $1 }
        try process.run()
    }

    deinit {
        guard process.isRunning else { return }
        let process = process
        process.terminate()
        MultiThreadedEventLoopGroup.singleton.any().scheduleTask(in: .seconds(5)) {
            if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        }
    }

    /// The process' number.
    package var id: Int32 { process.processIdentifier }

    /// What it has said so far, and whether it has ended.
    package var soFar: Progress { progress.value }

    /// Waits for a line of standard output that contains a text.
    ///
    /// - Returns: the line.
    /// - Throws: `EndedEarly` when it ends without; `DeadlinePassed`.
    package func line(containing text: String, within limit: Duration = .seconds(20)) async throws -> String {
        let said = try await progress.wait(for: "\(name) to print a line with “\(text)”", within: limit) {
            $0.isComplete || Self.line(containing: text, in: $0.output) != nil
        }
        guard let line = Self.line(containing: text, in: said.output) else {
            throw EndedEarly(name: name, progress: said)
        }
        return line
    }

    /// Waits for its end, and for the last of its output.
    ///
    /// A program that it started itself and left behind may hold the pipes open: two seconds after the end they are left.
    package func end(within limit: Duration = .seconds(20)) async throws -> Progress {
        _ = try await progress.wait(for: "\(name) to end", within: limit) { $0.status != nil }
        do {
            return try await progress.wait(for: "\(name)'s output to end", within: .seconds(2), until: \.isComplete)
        } catch is DeadlinePassed {
            return soFar
        }
    }

    /// Asks it to end (SIGTERM), and waits.
    package func stop(within limit: Duration = .seconds(20)) async throws -> Progress {
        if process.isRunning { process.terminate() }
        return try await end(within: limit)
    }

    /// Ends it at once, without a chance to tidy up, and waits.
    package func kill9() async throws -> Progress {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        return try await end()
    }

    private static func line(containing text: String, in output: [UInt8]) -> String? {
        String(decoding: output, as: UTF8.self).split(separator: "\n").first { $0.contains(text) }.map(String.init)
    }

    /// A handle that gives these bytes: an unnamed file, so that no write can wait for a program that does not read.
    private static func readable(_ input: [UInt8]) throws -> FileHandle {
        guard !input.isEmpty else { return .nullDevice }
        let url = FileManager.default.temporaryDirectory.appending(path: "inspect-input-\(UUID().uuidString)")
        try Data(input).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        return try FileHandle(forReadingFrom: url)
    }

    private static func merged(_ changes: [String: String?]) -> [String: String] {
        var environment = ProcessInfo.processInfo.environment.filter { !$0.key.lowercased().hasSuffix("_proxy") }
        for (key, value) in changes { environment[key] = value }
        return environment
    }

    private static func collect(
        _ pipe: Pipe,
        into progress: Watched<Progress>,
        append: @escaping @Sendable (inout Progress, [UInt8]) -> Void
    ) {
        pipe.fileHandleForReading.readabilityHandler = { handle in
            let bytes = Array(handle.availableData)
            if bytes.isEmpty { handle.readabilityHandler = nil }
            progress.update { progress in
                if bytes.isEmpty { progress.openPipes -= 1 } else { append(&progress, bytes) }
            }
        }
    }
}

/// A program ended before it said what was waited for.
package struct EndedEarly: Error, CustomStringConvertible {
    package let name: String
    package let progress: RunningProcess.Progress

    package var description: String {
        let errors = String(decoding: progress.errors.suffix(2000), as: UTF8.self)
        let output = String(decoding: progress.output.suffix(2000), as: UTF8.self)
        return "\(name) ended with \(progress.status ?? -1); it said: \(output)\(errors)"
    }
}
