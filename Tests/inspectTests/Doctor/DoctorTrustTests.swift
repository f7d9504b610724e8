import Foundation
import Support
import Testing
import Trust

@testable import inspect

/// What doctor makes of programs that end as at the deadline, unheard.
@Suite("Programs that doctor asks and that do not answer", .timeLimit(.minutes(15)))
struct DoctorTrustTests {
    @Test(
        "They are told as such, and not as ones that do not trust the root",
        arguments: ["kill -KILL $$", "case $0 in *certutil) kill -KILL $$ ;; esac; exit 28"]
    )
    func unanswered(end: String) async throws {
        let directory = try TemporaryDirectory()
        for name in ["curl", "python3", "node", "certutil"] {
            let program = try directory.write("#!/bin/sh\n\(end)\n", to: name)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        }
        let database = directory.file("home/.pki/nssdb")
        try FileManager.default.createDirectory(atPath: database, withIntermediateDirectories: true)
        try directory.write("", to: "home/.pki/nssdb/cert9.db")
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
        // Beside them are the machine's own stores, which need no program on Linux.
        let findings = try await doctor.trust(RootCertificate(newOn: "host", now: now)).suffix(4)
        #expect(
            findings.map(\.problem) == [
                "it is not known whether the root is trusted by Chromium and Chrome (\(database)): certutil did not answer; try again",
                "curl of this shell did not answer", "Python of this shell did not answer",
                "Node of this shell did not answer",
            ]
        )
        #expect(findings.allSatisfy { $0.mend == "inspect doctor --store s --ca-directory c" }, "\(findings)")
    }
}
