import Foundation

/// Runs a program of the machine to its end.
package enum CommandLineTool {
    /// How a program ended and what it said.
    package struct Result: Sendable {
        /// The exit status, or 128 and the signal that ended it.
        package let status: Int32
        package let outputBytes: [UInt8]
        package let errorBytes: [UInt8]

        /// The standard output as text.
        package var output: String { String(decoding: outputBytes, as: UTF8.self) }
        /// The standard error as text.
        package var errors: String { String(decoding: errorBytes, as: UTF8.self) }
    }

    /// Runs a program and waits for its end; past the limit it is killed.
    ///
    /// - Parameters:
    ///   - name: a name to look up in PATH, or a path.
    ///   - arguments: what follows the name.
    ///   - environment: as in `RunningProcess`.
    ///   - input: the bytes of its standard input.
    ///   - limit: how long it may take.
    /// - Returns: how it ended and what it said.
    /// - Throws: `Missing` when there is no such program; `DeadlinePassed`.
    package static func run(
        _ name: String,
        _ arguments: [String],
        environment: [String: String?] = [:],
        input: [UInt8] = [],
        within limit: Duration = .seconds(60)
    ) async throws -> Result {
        let process = try RunningProcess(try find(name), arguments, environment: environment, input: input)
        do {
            let ended = try await process.end(within: limit)
            return Result(status: ended.status ?? -1, outputBytes: ended.output, errorBytes: ended.errors)
        } catch {
            _ = try? await process.destroy()
            throw error
        }
    }

    /// The file of a program: the first of that name in PATH.
    package static func find(_ name: String) throws -> String {
        if name.contains("/") {
            guard FileManager.default.isExecutableFile(atPath: name) else { throw Missing(name: name) }
            return name
        }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        for folder in path.split(separator: ":") where FileManager.default.isExecutableFile(atPath: "\(folder)/\(name)")
        {
            return "\(folder)/\(name)"
        }
        throw Missing(name: name)
    }

    /// A program that the tests need is not there.
    package struct Missing: Error, CustomStringConvertible {
        package let name: String
        package var description: String { "\(name) is not installed; the README's test command installs it" }
    }
}
