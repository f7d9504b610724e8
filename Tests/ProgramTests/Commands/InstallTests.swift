import Foundation
import Support
import Testing

/// The README's one command puts the program, its manual and its completions where they are found; of a release, `LongTests` has more.
@Suite(.timeLimit(.minutes(15))) struct InstallTests {
    @Test("What the README says to type installs all of it")
    func installs() async throws {
        let command = try Readme.block(after: "the install command")
        #expect(command.hasPrefix("swift build -c release && "))
        let directory = try TemporaryDirectory()
        let prefix = directory.file("usr")
        try FileManager.default.createDirectory(atPath: prefix + "/bin", withIntermediateDirectories: true)
        // As it stands, for a place of the test's own and with the program that is built here.
        let here = command.replacing("swift build -c release && ", with: "").replacing("sudo ", with: "")
            .replacing(".build/release/inspect", with: "'\(try Executable.inspect())'")
            .replacing("/usr/local", with: prefix)
        let environment = RunningInspect.environment(directory)
        let path = "\(prefix)/bin:\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
        let ran = try await CommandLineTool.run(
            "bash",
            ["-euc", here],
            environment: environment.merging(["PATH": path]) { $1 }
        )
        #expect(ran.status == 0, "\(ran.output)\(ran.errors)")
        let version = try await CommandLineTool.run(prefix + "/bin/inspect", ["--version"], environment: environment)
        #expect(version.status == 0 && !version.output.isEmpty)
        let installed = ["usr/share/man/man1/inspect-start.1", "data/bash-completion/completions/inspect"]
        for file in installed { #expect(!(try directory.read(file)).isEmpty, "\(file)") }
    }
}
