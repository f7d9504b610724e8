import Foundation
import Support
import Testing
import Trust

@Suite(.timeLimit(.minutes(15)))
struct TrustFilesTests {
    private let now = Date()

    private func open(_ directory: String) throws -> RootCertificate {
        try TrustFiles(directory: directory).openRoot(hostName: "host", now: now)
    }

    @Test("The first opening makes directory, key and certificate with their modes; the second finds the same root")
    func creation() throws {
        let place = try TemporaryDirectory()
        let directory = place.file("data/inspect/ca")
        #expect(try TrustFiles(directory: directory).existingRoot(now: now) == nil)
        let first = try open(directory)
        let before = try snapshot(directory)
        #expect(try mode(of: directory) == 0o700)
        #expect(try mode(of: place.file("data")) == 0o700)
        #expect(try mode(of: directory + "/root-key.pem") == 0o600)
        #expect(try mode(of: directory + "/root.pem") == 0o644)
        #expect(try open(directory + "/").der == first.der)
        #expect(try TrustFiles(directory: directory).existingRoot(now: now)?.fingerprint == first.fingerprint)
        #expect(try snapshot(directory) == before)
        #expect(before.keys.sorted() == ["root-key.pem", "root.pem"])
    }

    @Test("The key on disk signs what openssl verifies against the certificate on disk")
    func keyOnDisk() async throws {
        let place = try TemporaryDirectory()
        let directory = place.file("ca")
        let made = try open(directory)
        let key = try await OpenSSL.run(["pkey", "-in", directory + "/root-key.pem", "-pubout"])
        let certificate = try await OpenSSL.run(["x509", "-in", directory + "/root.pem", "-noout", "-pubkey"])
        #expect(key.status == 0 && key.text == certificate.text)
        let read = try #require(try TrustFiles(directory: directory).existingRoot(now: now))
        #expect(read.commonName == made.commonName && read.notAfter == made.notAfter)
        let authority = try CertificateAuthority(root: read, now: { Date() })
        let answer = try await OpenSSL.verify(
            authority.leaf(for: ServerName("a.test")),
            ["-verify_hostname", "a.test"]
        )
        #expect(answer.status == 0, "\(answer.text)")
    }

    @Test("Modes do not depend on the umask", arguments: [0o000, 0o077, 0o777])
    func umasks(mask: Int) async throws {
        let place = try TemporaryDirectory()
        let directory = place.file("deep/ca")
        await #expect(processExitsWith: .success) { [directory = directory as String, mask = mask as Int] in
            umask(mode_t(mask))
            _ = try TrustFiles(directory: directory).openRoot(hostName: "host", now: Date())
        }
        #expect(try mode(of: directory) == 0o700)
        #expect(try mode(of: directory + "/root-key.pem") == 0o600)
        #expect(try mode(of: directory + "/root.pem") == 0o644)
    }

    @Test("Tasks racing on an empty directory agree on one root")
    func racingTasks() async throws {
        let place = try TemporaryDirectory()
        for round in 0..<20 {
            let directory = place.file("ca-\(round)")
            let now = now
            let roots = try await withThrowingTaskGroup(of: String.self) { group in
                for task in 0..<8 {
                    group.addTask {
                        try TrustFiles(directory: directory).openRoot(hostName: "h\(task)", now: now).fingerprint
                    }
                }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(roots.count == 1)
            #expect(try snapshot(directory).keys.sorted() == ["root-key.pem", "root.pem"])
        }
    }

    @Test("Processes racing on an empty directory agree on one root")
    func racingProcesses() async throws {
        let place = try TemporaryDirectory()
        let directory = place.file("ca")
        let answers = place.file("answers")
        try FileManager.default.createDirectory(atPath: answers, withIntermediateDirectories: false)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    await #expect(processExitsWith: .success) {
                        [directory = directory as String, answers = answers as String] in
                        let root = try TrustFiles(directory: directory).openRoot(hostName: "h", now: Date())
                        try root.fingerprint.write(
                            toFile: answers + "/\(UUID().uuidString)",
                            atomically: true,
                            encoding: .utf8
                        )
                    }
                }
            }
        }
        let fingerprints = try FileManager.default.contentsOfDirectory(atPath: answers)
            .map { try String(contentsOfFile: answers + "/" + $0, encoding: .utf8) }
        #expect(fingerprints.count == 4)
        #expect(Set(fingerprints).count == 1)
        #expect(try open(directory).fingerprint == fingerprints.first)
    }

    @Test("A creation that crashed before its renames is begun anew")
    func crashBeforeRenames() throws {
        let place = try TemporaryDirectory()
        let directory = place.file("ca")
        _ = try open(directory)
        try rename(in: directory, "root.pem", "root.pem.new")
        try rename(in: directory, "root-key.pem", "root-key.pem.new")
        try Data("half".utf8).write(to: URL(fileURLWithPath: directory + "/root-key.pem.new"))
        let root = try open(directory)
        #expect(try snapshot(directory).keys.sorted() == ["root-key.pem", "root.pem"])
        #expect(try open(directory).der == root.der)
    }

    @Test("A creation that crashed between its renames is finished with the same root")
    func crashBetweenRenames() throws {
        let place = try TemporaryDirectory()
        let directory = place.file("ca")
        let root = try open(directory)
        try rename(in: directory, "root.pem", "root.pem.new")
        #expect(try TrustFiles(directory: directory).existingRoot(now: now) == nil)
        #expect(try open(directory).der == root.der)
        #expect(try snapshot(directory).keys.sorted() == ["root-key.pem", "root.pem"])
        #expect(try mode(of: directory + "/root.pem") == 0o644)
    }

    @Test("A disk that takes no bytes leaves nothing behind, and one clear line")
    func fullDisk() async throws {
        let place = try TemporaryDirectory()
        let directory = place.file("ca")
        await #expect(processExitsWith: .success) { [directory = directory as String] in
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 100, rlim_max: 100)
            #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
            #else
            let resource = RLIMIT_FSIZE
            #endif
            guard setrlimit(resource, &limit) == 0 else { exit(2) }
            do {
                _ = try TrustFiles(directory: directory).openRoot(hostName: "host", now: Date())
                exit(3)
            } catch {
                exit("\(error)".contains("root-key.pem.new cannot be used: File too large") ? 0 : 4)
            }
        }
        #expect(try snapshot(directory).isEmpty)
        _ = try open(directory)
    }

    @Test("While another holds the directory its lock is waited for, and given up with a clear line")
    func heldLock() throws {
        let place = try TemporaryDirectory()
        let directory = place.file("ca")
        try FileManager.default.createDirectory(
            atPath: directory,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        let lock = try DirectoryLock(directory, deadline: .zero)
        #expect(throws: TrustError.busy(directory: directory)) {
            try DirectoryLock(directory, deadline: .milliseconds(30))
        }
        lock.release()
        _ = try open(directory)
    }

    private func rename(in directory: String, _ old: String, _ new: String) throws {
        try FileManager.default.moveItem(atPath: directory + "/" + old, toPath: directory + "/" + new)
    }
}
