import Foundation
import Support

/// A library that makes a program's writes fail, or kills it in the middle of one; the program preloads it.
final class FaultyWrites: Sendable {
    private let directory: TemporaryDirectory
    /// The library's file, which lasts as long as this value.
    let file: String

    private init(directory: TemporaryDirectory) {
        self.directory = directory
        file = directory.file("faulty_writes.so")
    }

    /// Builds it.
    ///
    /// - Throws: `Unexpected` with what the compiler said.
    static func build() async throws -> FaultyWrites {
        let library = FaultyWrites(directory: try TemporaryDirectory())
        let source = Readme.root.appending(path: "Tests/ProgramTests/Peers/faulty_writes.c").path
        let built = try await CommandLineTool.run(
            "clang",
            ["-shared", "-fPIC", "-O1", "-o", library.file, source, "-ldl"]
        )
        guard built.status == 0 else { throw Unexpected("clang: \(built.errors)") }
        return library
    }

    /// How often a program writes to files whose path begins so.
    ///
    /// - Throws: when it cannot be run, or does not exit with 0.
    func count(_ program: String, _ arguments: [String], writingTo path: String) async throws -> Int {
        let file = directory.file("count")
        let ran = try await CommandLineTool.run(
            program,
            arguments,
            environment: ["LD_PRELOAD": self.file, "FAULT_PATH": path, "COUNT_FILE": file]
        )
        guard ran.status == 0, let count = Int(try String(contentsOfFile: file, encoding: .utf8)) else {
            throw Unexpected("\(arguments): exit \(ran.status), \(ran.errors)")
        }
        return count
    }

    /// Runs a program that is killed when so many of its writes are done, and half of the next.
    ///
    /// - Returns: how it ended: 128 and SIGKILL, unless it wrote less often.
    func kill(
        _ program: String,
        _ arguments: [String],
        writingTo path: String,
        after count: Int
    ) async throws -> CommandLineTool.Result {
        try await CommandLineTool.run(
            program,
            arguments,
            environment: ["LD_PRELOAD": file, "FAULT_PATH": path, "KILL_AT": "\(count + 1)"]
        )
    }
}
