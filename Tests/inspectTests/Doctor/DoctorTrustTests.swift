import Foundation
import Support
import Testing
import Trust

@testable import inspect

/// What doctor makes of programs that a signal ends, as at the deadline, or that cannot run.
@Suite("Programs that doctor asks and that do not answer", .timeLimit(.minutes(15)))
struct DoctorTrustTests {
    @Test(
        "They are told as such, and not as ones that do not trust the root",
        arguments: ["kill -KILL $$", "kill -TERM $$", "case $0 in *certutil) kill -KILL $$ ;; esac; exit 28"]
    )
    func unanswered(end: String) async throws {
        let directory = try TemporaryDirectory()
        let database = directory.file("home/.pki/nssdb")
        try FileManager.default.createDirectory(atPath: database, withIntermediateDirectories: true)
        try directory.write("", to: "home/.pki/nssdb/cert9.db")
        let findings = try await findings(4, of: "#!/bin/sh\n\(end)\n", in: directory)
        #expect(
            findings.map(\.problem) == [
                "it is not known whether the root is trusted by Chromium and Chrome (\(database)): certutil did not answer",
                "curl of this shell did not answer", "Python of this shell did not answer",
                "Node of this shell did not answer",
            ]
        )
        #expect(findings.allSatisfy { $0.mend == "inspect doctor --store s --ca-directory c" }, "\(findings)")
    }

    @Test("One that the system cannot start is told, and keeps nothing else from being found")
    func broken() async throws {
        let directory = try TemporaryDirectory()
        let findings = try await findings(3, of: "#!/no/such/interpreter\n", in: directory)
        #expect(findings.count == 3)
        let names = [("curl", "curl"), ("Python", "python3"), ("Node", "node")]
        for (finding, (name, program)) in zip(findings, names) {
            let start = "\(name) of this shell cannot be asked: cannot run \(directory.file(program)): "
            #expect(finding.problem.hasPrefix(start), "\(finding)")
        }
    }

    /// What doctor finds last where every program that it asks is a script: beside that are the machine's own stores, which need no program on Linux.
    private func findings(
        _ count: Int,
        of script: String,
        in directory: TemporaryDirectory
    ) async throws -> [DoctorFinding] {
        for name in ["curl", "python3", "node", "certutil"] {
            let program = try directory.write(script, to: name)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        }
        let now = Date()
        let doctor = Doctor(
            places: Doctor.Places(
                storePath: directory.file("captures.db"),
                files: TrustFiles(directory: directory.file("ca")),
                storeOption: " --store s",
                authorityOption: " --ca-directory c"
            ),
            environment: ["PATH": directory.path, "HOME": directory.file("home")],
            now: now
        )
        return Array(try await doctor.trust(RootCertificate(newOn: "host", now: now)).findings.suffix(count))
    }
}
