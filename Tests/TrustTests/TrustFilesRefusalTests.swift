import Foundation
import Support
import Testing
import Traffic

@testable import Trust

/// Roots that must not be used: each is refused in one line that names the path, and nothing on disk changes.
@Suite(.timeLimit(.minutes(15)))
struct TrustFilesRefusalTests {
    private static let both = ["root.pem", "root-key.pem"]

    private static let damages: [Damage] = [
        Damage(testDescription: "directory readable by the group", file: "", words: "chmod 700") {
            try setMode(0o750, $0)
        },
        Damage(testDescription: "directory searchable by all", file: "", words: "chmod 700") {
            try setMode(0o711, $0)
        },
        Damage(testDescription: "key readable by the group", file: "/root-key.pem", words: "chmod 600") {
            try setMode(0o640, $0 + "/root-key.pem")
        },
        Damage(testDescription: "key readable by all", file: "/root-key.pem", words: "chmod 600") {
            try setMode(0o604, $0 + "/root-key.pem")
        },
        Damage(testDescription: "key empty", file: "/root-key.pem", words: "does not hold one P-256 private key") {
            try write("", $0 + "/root-key.pem")
        },
        Damage(testDescription: "key not PEM", file: "/root-key.pem", words: "does not hold one P-256 private key") {
            try write("\u{0}\u{1}binary", $0 + "/root-key.pem")
        },
        Damage(testDescription: "key cut short", file: "/root-key.pem", words: "does not hold one P-256 private key") {
            try edit($0 + "/root-key.pem") { String($0.prefix(120)) }
        },
        Damage(testDescription: "key of another kind", file: "/root-key.pem", words: "does not hold one P-256") {
            _ = try await OpenSSL.run(["genpkey", "-algorithm", "ED25519", "-out", $0 + "/root-key.pem"])
        },
        Damage(testDescription: "key of another root", file: "/root-key.pem", words: "does not belong to the key") {
            try replace(["root-key.pem"], $0)
        },
        Damage(testDescription: "key gone", file: "/root-key.pem", words: "is missing while") {
            try FileManager.default.removeItem(atPath: $0 + "/root-key.pem")
        },
        Damage(testDescription: "key is a directory", file: "/root-key.pem", words: "it is not a file") {
            try FileManager.default.removeItem(atPath: $0 + "/root-key.pem")
            try FileManager.default.createDirectory(atPath: $0 + "/root-key.pem", withIntermediateDirectories: false)
        },
        Damage(testDescription: "certificate empty", file: "/root.pem", words: "does not hold one certificate") {
            try write("", $0 + "/root.pem")
        },
        Damage(testDescription: "certificate cut short", file: "/root.pem", words: "does not hold one certificate") {
            try edit($0 + "/root.pem") { String($0.prefix(300)) }
        },
        Damage(testDescription: "certificate writable by the group", file: "/root.pem", words: "chmod 644") {
            try setMode(0o664, $0 + "/root.pem")
        },
        Damage(testDescription: "certificate twice", file: "/root.pem", words: "does not hold one certificate") {
            try edit($0 + "/root.pem") { $0 + $0 }
        },
        Damage(testDescription: "certificate huge", file: "/root.pem", words: "is larger than any certificate") {
            try write(String(repeating: "x", count: 70_000), $0 + "/root.pem")
        },
        Damage(testDescription: "certificate a pipe", file: "/root.pem", words: "it is not a file") {
            try FileManager.default.removeItem(atPath: $0 + "/root.pem")
            #expect(mkfifo($0 + "/root.pem", 0o644) == 0)
        },
        Damage(testDescription: "certificate gone", file: "/root.pem", words: "is missing while") {
            try FileManager.default.removeItem(atPath: $0 + "/root.pem")
        },
        Damage(testDescription: "certificate of another root", file: "/root.pem", words: "does not belong to the key") {
            try replace(["root.pem"], $0)
        },
        Damage(testDescription: "certificate with a broken signature", file: "/root.pem", words: "is damaged") {
            try edit($0 + "/root.pem") { pem in
                var der = try #require(Data(base64Encoded: pem.split(separator: "\n").dropFirst().dropLast().joined()))
                der[der.count - 1] ^= 1
                return
                    "-----BEGIN CERTIFICATE-----\n\(der.base64EncodedString(options: .lineLength64Characters))\n-----END CERTIFICATE-----\n"
            }
        },
        Damage(testDescription: "certificate of a server", file: "/root.pem", words: "is no certificate authority's") {
            let directory = $0
            _ = try await OpenSSL.run([
                "req", "-x509", "-new", "-key", directory + "/root-key.pem", "-subj", "/CN=a", "-days", "9",
                "-addext", "basicConstraints=critical,CA:false", "-config", "/dev/null", "-out",
                directory + "/root.pem",
            ])
        },
        Damage(testDescription: "certificate expired", file: "/root.pem", words: "expired on") {
            try replace(both, $0, madeAt: Date(timeIntervalSinceNow: -800 * 86_400))
        },
        Damage(testDescription: "certificate of the future", file: "/root.pem", words: "Check this machine's clock") {
            try replace(both, $0, madeAt: Date(timeIntervalSinceNow: 4 * 86_400))
        },
    ]

    @Test("A root that is damaged or open to others is refused in one line and left alone", arguments: damages)
    func refusal(damage: Damage) async throws {
        let place = try TemporaryDirectory()
        let files = TrustFiles(directory: place.file("ca"))
        _ = try files.openRoot(hostName: "host", now: Date())
        try await damage.spoil(files.directory)
        let before = try snapshotWithoutOpening(files.directory)

        let error = #expect(throws: TrustError.self) { try files.openRoot(hostName: "host", now: Date()) }

        let sentence = error?.description ?? ""
        #expect(sentence.contains(files.directory + damage.file))
        #expect(sentence.contains(damage.words))
        #expect(!sentence.contains("\n"))
        #expect(try snapshotWithoutOpening(files.directory) == before)
    }

    @Test(
        "What belongs to another user is not read: he may have the key",
        arguments: ["", "/root-key.pem", "/root.pem"]
    )
    func foreign(_ file: String) throws {
        let place = try TemporaryDirectory()
        let files = TrustFiles(directory: place.file("ca"))
        _ = try files.openRoot(hostName: "host", now: Date())
        let path = files.directory + file
        let user = try ForeignOwner.give(path)
        let error = #expect(throws: TrustError.self) {
            if file.isEmpty {
                _ = try PrivateDirectory.check(path, user: user)
            } else {
                _ = try TrustFile(path).read(others: .mayRead, user: user)
            }
        }
        let sentence = error?.description ?? ""
        #expect(
            sentence.hasPrefix(path + " belongs to another user (number") && !sentence.contains("\n"),
            "\(sentence)"
        )
    }

    @Test("A place where no directory can be made is refused in one line")
    func unusablePlace() throws {
        let place = try TemporaryDirectory()
        let file = try place.write("content", to: "file")
        for path in [file, file + "/ca", file + "/deep/ca"] {
            let error = #expect(throws: TrustError.self) {
                try TrustFiles(directory: path).openRoot(hostName: "host", now: Date())
            }
            let sentence = error?.description ?? ""
            #expect(sentence.contains("\(file)") && sentence.contains("cannot be used: "))
        }
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "content")
    }

    @Test("A directory that every user of the machine may replace is refused, there or not, and none is made in it")
    func replaceable() throws {
        let directory = try TemporaryDirectory()
        let files = TrustFiles(directory: directory.file("open/ca"))
        _ = try files.openRoot(hostName: "here", now: Date())
        for mode in [0o777, 0o703] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: directory.file("open"))
            for name in ["open/ca", "open/new"] {
                let refused = try #require(throws: TrustError.self) {
                    try TrustFiles(directory: directory.file(name)).openRoot(hostName: "here", now: Date())
                }
                #expect(refused.description.contains("every user of this machine may replace"))
            }
            #expect(!FileManager.default.fileExists(atPath: directory.file("open/new")))
        }
        // As in /tmp, where a name is its owner's.
        try FileManager.default.setAttributes([.posixPermissions: 0o1777], ofItemAtPath: directory.file("open"))
        #expect(try files.existingRoot(now: Date()) != nil)
    }

    @Test("A directory this user may not write to, or make, is refused in one line")
    func unwritablePlace() async throws {
        let place = try TemporaryDirectory()
        try setMode(0o755, place.path)
        let directory = place.file("ca")
        let child = place.file("closed/ca")
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
        try FileManager.default.createDirectory(atPath: place.file("closed"), withIntermediateDirectories: false)
        try setMode(0o500, directory)
        try setMode(0o555, place.file("closed"))
        await #expect(processExitsWith: .success) { [directory = directory as String, child = child as String] in
            // Root may write anywhere, so the child process becomes nobody, who owns the first directory.
            if geteuid() == 0 {
                guard chown(directory, 65_534, 65_534) == 0, seteuid(65_534) == 0 else { exit(2) }
            }
            for path in [directory, child] {
                do {
                    _ = try TrustFiles(directory: path).openRoot(hostName: "host", now: Date())
                    exit(3)
                } catch {
                    guard "\(error)".contains("cannot be used: Permission denied"),
                        "\(error)".contains(path)
                    else { exit(4) }
                }
            }
        }
        #expect(try snapshot(directory).isEmpty)
        try setMode(0o700, directory)
        try setMode(0o700, place.file("closed"))
    }

    /// Like `snapshot`, but a pipe is named instead of read: nobody writes to it.
    private func snapshotWithoutOpening(_ directory: String) throws -> [String: String] {
        var files: [String: String] = ["": try "\(mode(of: directory))"]
        for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
            let path = directory + "/" + name
            let type = try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
            let content = type == .typeRegular ? FileManager.default.contents(atPath: path)?.base64EncodedString() : nil
            files[name] = try "\(content ?? "no file") \(mode(of: path))"
        }
        return files
    }

    private static func setMode(_ mode: Int, _ path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    private func setMode(_ mode: Int, _ path: String) throws { try Self.setMode(mode, path) }

    private static func write(_ text: String, _ path: String) throws {
        // Not atomically: the file keeps its mode.
        try text.write(toFile: path, atomically: false, encoding: .utf8)
    }

    private static func edit(_ path: String, _ change: (String) throws -> String) throws {
        try write(change(String(contentsOfFile: path, encoding: .utf8)), path)
    }

    /// Puts files of another root in the place of its own.
    private static func replace(
        _ names: [String],
        _ directory: String,
        madeAt moment: Date = Date()
    ) throws {
        let other = try TemporaryDirectory()
        _ = try TrustFiles(directory: other.path).openRoot(hostName: "other", now: moment)
        for name in names {
            try write(String(contentsOfFile: other.file(name), encoding: .utf8), "\(directory)/\(name)")
        }
    }
}
