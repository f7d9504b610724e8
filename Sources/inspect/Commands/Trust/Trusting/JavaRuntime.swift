import Foundation
import Traffic

/// The JDK that this user's programs run on.
struct JavaRuntime: Sendable, Equatable {
    /// Its tool for files of certificates.
    let keytool: String
    /// The file of the roots that it trusts, links followed.
    let roots: String

    /// The JDK that `JAVA_HOME` names, else the one whose `java` is on the path; `nil` where there is none.
    init?(environment: [String: String]) {
        let named = environment["JAVA_HOME"].map { $0 + "/bin/java" }.flatMap { ProgramFile.find($0, path: nil) }
        guard let java = named ?? ProgramFile.find("java", path: environment["PATH"]) else { return nil }
        let home = URL(fileURLWithPath: java).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().path
        let places = ["/lib/security/cacerts", "/jre/lib/security/cacerts"].map { home + $0 }
        guard let found = places.first(where: FileManager.default.fileExists),
            let keytool = ProgramFile.find(home + "/bin/keytool", path: nil)
        else { return nil }
        self.keytool = keytool
        roots = URL(fileURLWithPath: found).resolvingSymlinksInPath().path
    }

    /// What a file of the JDK's has under the name that we give the root; `nil` where it has nothing.
    static func named(in file: String, keytool: String, environment: [String: String]) async throws -> [[UInt8]]? {
        try await listed(file, ["-alias", alias], keytool: keytool, environment: environment)
    }

    /// The name that we give the root.
    static let alias = "inspect-root"

    /// Whether a file of the JDK's holds a root, under whatever name.
    static func keystore(
        _ file: String,
        holds pem: String,
        keytool: String,
        environment: [String: String]
    ) async throws -> Bool {
        let held = Set(try await listed(file, [], keytool: keytool, environment: environment) ?? [])
        return PEM.certificates(pem).allSatisfy(held.contains)
    }

    /// The certificates that the tool lists; `nil` where it lists none.
    ///
    /// - Throws: `InputError` when it cannot read the file, which may hold any then.
    private static func listed(
        _ file: String,
        _ selection: [String],
        keytool: String,
        environment: [String: String]
    ) async throws -> [[UInt8]]? {
        let plain = environment.filter { !Self.optionVariables.contains($0.key) }
        let asked = [keytool, "-list", "-rfc", "-keystore", file, "-storepass", "changeit"] + selection
        guard let said = try await QuietCommand.ask(asked, environment: plain) else { return nil }
        if said.isSuccess { return PEM.certificates(said.output) }
        // It fails as well where nothing has the name that was asked for; then it lists the whole.
        if !selection.isEmpty, try await listed(file, [], keytool: keytool, environment: environment) != nil {
            return nil
        }
        throw InputError(VisibleText.line("keytool cannot list \(file): \(said.firstLine)"))
    }

    /// Variables with options for programs: the tool says first that it picked them up, and looks where they say.
    static let optionVariables: Set<String> = ["JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS"]
}
