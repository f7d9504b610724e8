import Foundation

/// A program that was started, with what it has said so far; it is ended with the value, if not before, and what it started in its group with it.
package final class RunningProcess: Sendable {
    /// What is known of a program so far.
    package struct Progress: Sendable, CustomStringConvertible {
        /// The bytes of its standard output.
        package var output: [UInt8] = []
        /// The bytes of its standard error.
        package var errors: [UInt8] = []
        /// Its exit status, or 128 and the signal that ended it; nil while it runs.
        package var status: Int32?
        fileprivate var openPipes = 2

        /// Whether it has ended and all that it said has been read.
        package var isComplete: Bool { status != nil && openPipes == 0 }

        package var description: String {
            let said = [output, errors].map { String(decoding: $0.suffix(2000), as: UTF8.self) }.joined()
            return (status.map { "ended with \($0)" } ?? "still running") + ", having said “\(said)”"
        }
    }

    /// The process' number.
    package let id: Int32
    private let name: String
    private let progress = Watched(Progress())

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - path: the program's file.
    ///   - arguments: what follows its name.
    ///   - environment: what is set for it besides `HermeticEnvironment`; nil takes a variable away.
    ///   - input: the bytes of its standard input.
    /// - Throws: when the program cannot be started.
    package init(
        _ path: String,
        _ arguments: [String],
        environment: [String: String?] = [:],
        input: [UInt8] = []
    ) throws {
        name = URL(filePath: path).lastPathComponent
        let entry = try Self.readable(input)
        let started = try ChildProcess.start(
            path,
            arguments,
            environment: HermeticEnvironment.variables(environment),
            input: entry.fileDescriptor
        )
        id = started.id
        let (id, progress) = (id, progress)
        Thread.detachNewThread { Self.collect(started.output, into: progress, at: \.output) }
        Thread.detachNewThread { Self.collect(started.errors, into: progress, at: \.errors) }
        Thread.detachNewThread {
            ChildProcess.waitUntilEnded(id)
            // Its group has its number for as long as that is taken: what it left behind ends with it.
            _ = kill(-id, SIGKILL)
            // Under the lock, so that no signal is sent to a number that is somebody else's by now.
            progress.update { $0.status = ChildProcess.reap(id) }
        }
    }

    deinit {
        signal(SIGKILL, toGroup: true)
    }

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
    /// What it started in its own group ends with it, so that nobody writes any more.
    ///
    /// - Returns: all that it said, and its status.
    /// - Throws: `DeadlinePassed` when it does not end, or somebody in another group keeps its output open.
    package func end(within limit: Duration = .seconds(20)) async throws -> Progress {
        _ = try await progress.wait(for: "\(name) to end", within: limit) { $0.status != nil }
        return try await progress.wait(for: "\(name)'s output to end", within: limit, until: \.isComplete)
    }

    /// Asks it to end (SIGTERM), and waits.
    package func stop(within limit: Duration = .seconds(20)) async throws -> Progress {
        signal(SIGTERM, toGroup: false)
        return try await end(within: limit)
    }

    /// Ends it at once and without a chance to tidy up (SIGKILL), with all that it started, and waits.
    package func destroy() async throws -> Progress {
        signal(SIGKILL, toGroup: true)
        return try await end()
    }

    private func signal(_ number: Int32, toGroup isGroup: Bool) {
        let id = id
        progress.update { progress in
            if progress.status == nil { _ = kill(isGroup ? -id : id, number) }
        }
    }

    private static func line(containing text: String, in output: [UInt8]) -> String? {
        let whole = output.lastIndex(of: UInt8(ascii: "\n")).map { output[...$0] } ?? []
        return String(decoding: whole, as: UTF8.self).split(separator: "\n").first { $0.contains(text) }.map(
            String.init
        )
    }

    /// A handle that gives these bytes: an unnamed file, so that no write can wait for a program that does not read.
    private static func readable(_ input: [UInt8]) throws -> FileHandle {
        guard !input.isEmpty else { return .nullDevice }
        let url = FileManager.default.temporaryDirectory.appending(path: "inspect-input-\(UUID().uuidString)")
        try Data(input).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        return try FileHandle(forReadingFrom: url)
    }

    /// Reads a pipe to its end, on a thread of its own.
    private static func collect(
        _ pipe: Int32,
        into progress: Watched<Progress>,
        at place: any WritableKeyPath<Progress, [UInt8]> & Sendable
    ) {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(pipe, &buffer, buffer.count)
            if count > 0 {
                let bytes = buffer[..<count]
                progress.update { $0[keyPath: place] += bytes }
            } else if count == 0 || errno != EINTR {
                break
            }
        }
        close(pipe)
        progress.update { $0.openPipes -= 1 }
    }
}

/// A program ended before it said what was waited for.
package struct EndedEarly: Error, CustomStringConvertible {
    package let name: String
    package let progress: RunningProcess.Progress

    package var description: String { "\(name) \(progress)" }
}
