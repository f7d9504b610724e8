import Foundation
import Support
import Testing

/// What the person who runs the tests has set is nothing that a program of a test gets.
@Suite(.serialized, .timeLimit(.minutes(15))) struct HermeticEnvironmentTests {
    private static let planted = "/planted/by/the/user"
    private static let names = [
        "HOME", "INSPECT_STORE", "INSPECT_CONFIG", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "https_proxy", "HTTP_PROXY",
        "no_proxy", "NODE_TLS_REJECT_UNAUTHORIZED", "GIT_SSL_NO_VERIFY", "GIT_DIR", "JDK_JAVA_OPTIONS", "LC_ALL",
        "EDITOR", "WHATEVER_COMES_NEXT",
    ]

    /// Has this process's variables say something else while a closure runs.
    private func planting<Result>(_ body: () async throws -> Result) async throws -> Result {
        let before = ProcessInfo.processInfo.environment
        for name in Self.names { setenv(name, Self.planted, 1) }
        defer {
            for name in Self.names {
                if let value = before[name] { setenv(name, value, 1) } else { unsetenv(name) }
            }
        }
        return try await body()
    }

    private func variables(_ changes: [String: String?] = [:]) async throws -> [String] {
        let said = try await CommandLineTool.run("env", [], environment: changes)
        return said.output.split(separator: "\n").map(String.init)
    }

    @Test("The user's home, folders, proxies and settings do not pass; what a test sets does")
    func passes() async throws {
        try await planting {
            #expect(ProcessInfo.processInfo.environment["INSPECT_STORE"] == Self.planted)
            let usual = try await variables()
            #expect(!usual.contains { $0.contains(Self.planted) }, "\(usual)")
            #expect(usual.contains("HOME=\(HermeticEnvironment.home)") && usual.contains { $0.hasPrefix("PATH=") })
            let own = try await variables(["INSPECT_STORE": "/own.db", "HOME": "/own", "PATH": nil])
            #expect(own.contains("INSPECT_STORE=/own.db") && own.contains("HOME=/own"), "\(own)")
            #expect(!own.contains { $0.hasPrefix("PATH=") || $0.contains(Self.planted) }, "\(own)")
        }
    }

    @Test("The home of every program is there and not the user's")
    func home() throws {
        #expect(FileManager.default.fileExists(atPath: HermeticEnvironment.home))
        #expect(HermeticEnvironment.home != NSHomeDirectory())
    }
}
