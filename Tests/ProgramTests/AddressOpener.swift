import Foundation
import Support

/// A stand-in for what opens addresses on a desktop of Linux; it hands each address to the test.
struct AddressOpener {
    /// The variables of a session with a screen in which the stand-in is found first.
    let environment: [String: String?]
    /// Where the stand-in writes an address and what it has for `https_proxy`; a reader waits there for the next one.
    private let pipe: String
    /// Holds the files for as long as the stand-in is there.
    private let directory: TemporaryDirectory

    /// Makes it in a directory.
    ///
    /// - Parameters:
    ///   - directory: holds its files.
    ///   - status: the exit status of a stand-in that opens nothing; `nil` for one that does.
    /// - Throws: what keeps the files from being made.
    init(in directory: TemporaryDirectory, failingWith status: Int32? = nil) throws {
        self.directory = directory
        pipe = directory.file("opened")
        guard mkfifo(pipe, 0o600) == 0 else { throw Unexpected("no named pipe in \(directory.path)") }
        let folder = directory.file("desktop")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let work = status.map { "exit \($0)" } ?? "printf '%s' \"$1$https_proxy\" > '\(pipe)'"
        let script = "#!/bin/sh\n\(work)\n"
        let program = try directory.write(script, to: "desktop/xdg-open")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        environment = ["PATH": "\(folder):\(path)", "DISPLAY": ":9", "https_proxy": "http://127.0.0.1:1"]
    }

    /// The next address that is to be opened, with the proxy of whoever opens it behind it.
    func next() async throws -> String { try await CommandLineTool.run("cat", [pipe]).output }
}
