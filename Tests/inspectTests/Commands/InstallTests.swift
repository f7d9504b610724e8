import Foundation
import Support
import Testing

/// The README's one command puts the program, its manual and its completions where they are found, and the program needs no Swift there.
struct InstallTests {
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

    #if os(Linux)
    @Test("A release holds the Swift runtime in itself")
    func standalone() async throws {
        let manifest = try String(contentsOf: Readme.root.appending(path: "Package.swift"), encoding: .utf8)
        #expect(manifest.contains("-static-stdlib") && manifest.contains("configuration: .release"))
        // Where one was built, by the README's commands before this one.
        let release = Readme.root.appending(path: ".build/release/inspect").path
        guard FileManager.default.isExecutableFile(atPath: release) else { return }
        let needed = try await CommandLineTool.run("ldd", [release])
        #expect(needed.status == 0 && needed.output.contains("libc.so"), "\(needed.errors)")
        for name in ["libswift", "libFoundation", "libdispatch", "libBlocksRuntime", "not found"] {
            #expect(!needed.output.contains(name), "\(needed.output)")
        }
    }
    #endif
}
