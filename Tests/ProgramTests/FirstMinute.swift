import Foundation
import Support

/// A newcomer's first minute: a program that is installed, a home with nothing in it, and three commands to a decrypted request on the page.
struct FirstMinute {
    /// What the page's API lists after the request.
    let listing: StoredListing
    /// What the first command printed.
    let said: String
    /// What the last command printed of the request.
    let shown: String
    /// From the first command to the listing.
    let took: Duration

    /// Lives through it.
    ///
    /// - Parameter program: the file of `inspect`; by default the one beside the tests.
    /// - Throws: `Unexpected` where a command failed.
    init(by program: String? = nil) async throws {
        let home = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: home.file("bin"), withIntermediateDirectories: false)
        let installed = home.file("bin/inspect")
        let original = try program ?? Executable.inspect()
        try FileManager.default.createSymbolicLink(atPath: installed, withDestinationPath: original)
        let opener = try AddressOpener(in: home)
        let authority = try await TestAuthority()
        let origin = try await RecordingOrigin.start(tls: authority.issue(for: ["localhost"]))

        func inspect(_ words: [String]) async throws -> String {
            let environment = opener.environment.merging(["HOME": home.path, "https_proxy": nil]) { $1 }
            let ran = try await CommandLineTool.run(installed, words, environment: environment)
            guard ran.status == 0 else { throw Unexpected("\(words): \(ran.output)\(ran.errors)") }
            return ran.output
        }
        func fetch(_ url: String, _ more: [String] = []) async throws -> String {
            try await CommandLineTool.run("curl", ["-sSf", "--noproxy", "*", url] + more).output
        }
        let began = ContinuousClock.now
        // Free ports and the test's own authority are what a newcomer does not type.
        let test = ["--port", "0", "--web-port", "0", "--upstream-ca", authority.rootFile]
        said = try await inspect(["start", "--daemon", "--open"] + test)
        do {
            _ = try await inspect(["run", "--", "curl", "-sSf", "https://localhost:\(origin.port)/length"])
            let address = try await opener.next()
            let document = try await fetch(address)
            let key = document.firstMatch(of: /<meta name="inspect-key" content="(\w+)">/)?.output.1
            guard let key, let end = address.range(of: "/?pass=") else { throw Unexpected("no key: \(address)") }
            let page = address[..<end.lowerBound]
            let rows = try await fetch("\(page)/api/v1/exchanges", ["-H", "Authorization: Bearer \(key)"])
            listing = try JSONDecoder().decode(StoredListing.self, from: Data(rows.utf8))
            took = ContinuousClock.now - began
            shown = try await inspect(["show", "1"])
        } catch {
            _ = try? await inspect(["stop"])
            throw error
        }
        _ = try await inspect(["stop"])
    }
}
