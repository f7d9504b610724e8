import Foundation
import Support
import Testing
import Traffic
import Trust

@testable import inspect

/// A root that took the place of another one, which a store of this machine still holds under the same name.
@Suite("A root in the place of another", .timeLimit(.minutes(15)))
struct RootReplacementTests {
    /// Keeps certificates in a plain file, one a name, as the JDK's tool does; ends as at the deadline, unheard, while there is `hangs` beside that, and
    /// cannot read it while there is `locked`.
    private static let keytool = #"""
        #!/bin/sh
        for word; do case $last in -keystore) store=$word ;; -file) root=$word ;; esac; last=$word; done
        case $1 in
        -list) if [ -e "${store%/*}/hangs" ]; then kill -KILL $$; fi
            [ -z "$_JAVA_OPTIONS" ] || echo "Picked up _JAVA_OPTIONS: $_JAVA_OPTIONS"
            if [ -e "${store%/*}/locked" ]; then echo 'password was incorrect'; exit 1; fi
            case "$*" in *-alias*) grep -q BEGIN "$store" || exit 1 ;; esac; cat "$store" ;;
        -importcert) if grep -q BEGIN "$store"; then echo 'alias already exists'; exit 1; fi; cat "$root" >> "$store" ;;
        -delete) sed -i '/^-----BEGIN/,/^-----END/d' "$store" ;;
        esac
        """#

    private let directory: TemporaryDirectory
    /// One name, two keys.
    private let roots: [RootCertificate]
    private let environment: [String: String]

    init() throws {
        directory = try TemporaryDirectory()
        let now = Date(timeIntervalSince1970: 1_763_647_323)
        roots = [try RootCertificate(newOn: "host", now: now), try RootCertificate(newOn: "host", now: now)]
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        environment = [
            "PATH": path, "HOME": directory.file("home"), "JAVA_HOME": directory.file("jdk"),
            "_JAVA_OPTIONS": "-Xmx64m",
        ]
    }

    private func machine(_ root: RootCertificate) throws -> MachineStores {
        MachineStores(
            rootFile: try directory.write(root.pem, to: "root.pem"),
            rootPEM: root.pem,
            nickname: root.commonName,
            keyDigest: root.keyDigest,
            environment: environment
        )
    }

    private func run(
        _ direction: TrustChange.Direction,
        _ kind: MachineStore.Kind,
        _ root: RootCertificate,
        undo: String
    ) async throws {
        let plan = try await TrustPlan(direction, [kind], on: machine(root), undoFolder: directory.file(undo))
        let outcome = try await plan.run { words, environment in
            try await CommandLineTool.run(words[0], Array(words.dropFirst()), environment: environment).status
        }
        for failure in plan.failures + outcome.failures { throw InputError(failure) }
    }

    private func certutil(_ arguments: String...) async throws -> String {
        let database = "sql:" + directory.file("home/.pki/nssdb")
        let result = try await CommandLineTool.run("certutil", arguments + ["-d", database], environment: environment)
        #expect(result.status == 0, "\(result.errors)")
        return result.output
    }

    @Test("A browser's database trusts the new one beside the old one of its name, and the new one alone is taken out")
    func browser() async throws {
        let (old, new) = (roots[0], roots[1])
        #expect(old.commonName == new.commonName && old.pem != new.pem)
        try await run(.install, .browser, old, undo: "undo")
        // It came in, and was not trusted yet.
        _ = try await certutil("-A", "-n", new.commonName, "-t", ",,", "-i", directory.write(new.pem, to: "new.pem"))
        let store = try #require(try machine(new).stores(.browser).first)
        #expect(try await store.isInstalled(new.pem, environment: environment))
        #expect(try await !store.isTrusting(new.pem, environment: environment))
        #expect(try await store.isTrusting(old.pem, environment: environment))
        try await run(.install, .browser, new, undo: "undo")
        #expect(try await store.isTrusting(new.pem, environment: environment))
        // Where nothing is known of what was there before, it is told from the other by its key.
        try await run(.uninstall, .browser, new, undo: "none")
        let left = try await certutil("-L", "-a", "-n", new.commonName)
        #expect(PEM.certificates(left) == PEM.certificates(old.pem))
        #expect(try await store.isTrusting(old.pem, environment: environment))
    }

    /// Makes a JDK that trusts nobody.
    private func makeJDK() throws {
        for folder in ["jdk/lib/security", "jdk/bin"] {
            try FileManager.default.createDirectory(
                atPath: directory.file(folder),
                withIntermediateDirectories: true
            )
        }
        try directory.write("", to: "jdk/lib/security/cacerts")
        for name in ["java", "keytool"] {
            let path = try directory.write(Self.keytool, to: "jdk/bin/\(name)")
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
    }

    @Test(
        "A JDK whose tool does not answer, or cannot read its file, may hold the root, so it is not said that there is nothing to take back",
        arguments: [("hangs", "/keytool did not answer"), ("locked", ": password was incorrect")]
    )
    func unanswered(fault: String, end: String) async throws {
        try makeJDK()
        try await run(.install, .java, roots[0], undo: "undo")
        try directory.write("", to: "jdk/lib/security/\(fault)")
        let problem = await #expect(throws: InputError.self) {
            try await run(.uninstall, .java, roots[0], undo: "none")
        }
        #expect(problem?.description.hasSuffix(end + "; try again: inspect ca uninstall --java") == true)
    }

    @Test("In the JDK's file it takes the place of the old one")
    func java() async throws {
        try makeJDK()
        try await run(.install, .java, roots[0], undo: "undo")
        try await run(.install, .java, roots[1], undo: "undo")
        let held = String(decoding: try directory.read("jdk/lib/security/cacerts"), as: UTF8.self)
        #expect(held == roots[1].pem)
        // The old one has nothing there any more.
        try await run(.uninstall, .java, roots[0], undo: "none")
        #expect(try directory.read("jdk/lib/security/cacerts") == Array(held.utf8))
        try await run(.uninstall, .java, roots[1], undo: "undo")
        #expect(try directory.read("jdk/lib/security/cacerts").isEmpty)
    }
}
