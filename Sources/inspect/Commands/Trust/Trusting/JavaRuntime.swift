import Foundation

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

    /// Whether a file of the JDK's has something under the name that we give the root.
    static func hasOurs(in file: String, keytool: String, environment: [String: String]) async throws -> Bool {
        let asked = [keytool, "-list", "-keystore", file, "-storepass", "changeit", "-alias", alias]
        return try await QuietCommand.run(asked, environment: environment)?.isSuccess ?? false
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
        // Options meant for programs have the tool say that it picked them up, or look elsewhere.
        let plain = environment.filter { $0.key != "JAVA_TOOL_OPTIONS" && $0.key != "JDK_JAVA_OPTIONS" }
        let listed = try await QuietCommand.run(
            [keytool, "-list", "-rfc", "-keystore", file, "-storepass", "changeit"],
            environment: plain
        )
        guard let listed, listed.isSuccess else { return false }
        let held = Set(PEMText.certificates(listed.output))
        return PEMText.certificates(pem).allSatisfy(held.contains)
    }
}
