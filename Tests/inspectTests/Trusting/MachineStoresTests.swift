import Foundation
import Support
import Testing
import Trust

@testable import inspect

/// The stores of systems that the tests do not run on.
@Suite("Where other systems keep roots", .timeLimit(.minutes(15)))
struct MachineStoresTests {
    @Test("On macOS the commands are those of its keychain, by the root's digest")
    func keychain() throws {
        let machine = MachineStores(
            rootFile: "/a b/root.pem",
            rootPEM: "-----BEGIN CERTIFICATE-----\nYWJj\n-----END CERTIFICATE-----\n",
            nickname: "inspect root",
            keyDigest: [],
            environment: ["HOME": "/home/me"],
            platform: .macOS,
            isRoot: false
        )
        let stores = try machine.stores(.system)
        #expect(
            stores.flatMap(\.install)
                == [
                    "security add-trusted-cert -r trustRoot -k /home/me/Library/Keychains/login.keychain-db '/a b/root.pem'"
                ]
        )
        // The SHA-1 of "abc" is a test vector of FIPS 180-4.
        #expect(
            stores.flatMap(\.uninstall)
                == [
                    "security remove-trusted-cert '/a b/root.pem'",
                    "security delete-certificate -Z A9993E364706816ABA3E25717850C26C9CD0D89D /home/me/Library/Keychains/login.keychain-db",
                ]
        )
    }

    @Test("Chromium's snap sees a home of its own: a database of that is meant too, also before there is one")
    func snap() throws {
        let directory = try TemporaryDirectory()
        let environment = ["HOME": directory.path]
        let own = NSSDatabase(directory.file(".pki/nssdb"))
        #expect(NSSDatabase.all(environment: environment) == [own])
        try FileManager.default.createDirectory(
            atPath: directory.file("snap/chromium/current"),
            withIntermediateDirectories: true
        )
        let ofSnap = NSSDatabase(directory.file("snap/chromium/current/.pki/nssdb"))
        #expect(NSSDatabase.all(environment: environment) == [own, ofSnap])
    }

    @Test("What is put in place by hand is the file that installing and taking back are about")
    func byHand() throws {
        let directory = try TemporaryDirectory()
        let tool = try directory.write("", to: "update-ca-certificates")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: tool)
        let files = TrustFiles(directory: directory.file("ca"))
        let root = try files.openRoot(hostName: "host", now: Date())
        let machine = MachineStores(
            rootFile: files.certificatePath,
            rootPEM: root.pem,
            nickname: root.commonName,
            keyDigest: root.keyDigest,
            environment: ["PATH": directory.path],
            platform: .linux,
            isRoot: false
        )
        let store = try #require(try machine.stores(.system).first)
        let guide = TrustGuide(root: root, files: files)
        let section = try #require(guide.sections.first { $0.title.hasPrefix("Debian") })
        let file = try #require(store.install.first?.split(separator: " ").last)
        #expect(file.hasSuffix("/\(root.systemFileName)"))
        #expect(section.commands.allSatisfy { $0.contains(" \(file) && ") }, "\(section.commands)")
        #expect(section.undo.allSatisfy { $0.contains("rm \(file) && ") }, "\(section.undo)")
        #expect(store.uninstall.contains { $0.contains("rm -f \(file);") }, "\(store.uninstall)")
    }

    @Test("On Debian no root is written over another, and each of inspect's that is not ours is told")
    func debian() throws {
        let directory = try TemporaryDirectory()
        let tool = try directory.write("", to: "update-ca-certificates")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: tool)
        func machine(_ name: String, key: UInt8) throws -> MachineStores {
            let pem = "-----BEGIN CERTIFICATE-----\n\(Data([key]).base64EncodedString())\n-----END CERTIFICATE-----\n"
            return MachineStores(
                rootFile: try directory.write(pem, to: name),
                rootPEM: pem,
                nickname: "inspect root",
                keyDigest: Array(repeating: key, count: 20),
                environment: ["PATH": directory.path],
                platform: .linux,
                isRoot: true,
                debianFolder: directory.file("local")
            )
        }
        let machines = [try machine("one.pem", key: 0xA1), try machine("two.pem", key: 0xB2)]
        let names = ["inspect-root-a1a1a1a1a1a1a1a1.crt", "inspect-root-b2b2b2b2b2b2b2b2.crt"]
        try FileManager.default.createDirectory(atPath: directory.file("local"), withIntermediateDirectories: false)
        for (machine, name) in zip(machines, names) {
            let store = try #require(try machine.stores(.system).first)
            let file = directory.file("local/\(name)")
            #expect(store.install.first == "install -D -m 644 \(machine.rootFile) \(file)")
            try directory.write(machine.rootPEM, to: "local/\(name)")
        }
        try directory.write("anybody's", to: "local/inspect-root.crt")
        let store = try #require(try machines[0].stores(.system).first)
        #expect(store.remarks.count == 2, "\(store.remarks)")
        #expect(store.others == [names[1], "inspect-root.crt"].map { directory.file("local/\($0)") })
        for (remark, name) in zip(store.remarks, [names[1], "inspect-root.crt"]) {
            #expect(remark.contains("rm \(directory.file("local/\(name)")) && "), "\(remark)")
        }
    }
}
