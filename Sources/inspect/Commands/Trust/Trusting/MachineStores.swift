import Crypto
import Foundation
import Traffic
import Trust

/// Finds the places of this machine where programs look for roots.
struct MachineStores: Sendable {
    /// The systems whose commands are known.
    enum Platform: Sendable {
        case linux, macOS

        static var current: Platform {
            #if canImport(Darwin)
            .macOS
            #else
            .linux
            #endif
        }
    }

    /// The root's certificate, PEM.
    let rootFile: String
    let rootPEM: String
    /// The name that certificate databases give it, which others may have too.
    let nickname: String
    /// The SHA-1 of its public key's point, by which those databases know it from all others.
    let keyDigest: [UInt8]
    /// This process's variables.
    let environment: [String: String]
    var platform = Platform.current
    /// Whether this process may change what belongs to the system.
    var isRoot = getuid() == 0

    /// The folder from which Debian's tool takes the machine's own roots.
    var debianFolder = "/usr/local/share/ca-certificates"

    /// The name of a root there that came in by hand, or by an earlier release: it may be anybody's.
    private static let sharedName = "inspect-root.crt"
    /// The name of our root there.
    private var ownName: String { RootCertificate.systemFileName(keyDigest: keyDigest) }

    /// The places of one kind.
    ///
    /// - Throws: `InputError` with the remedy where there is none on this machine, or what changes it is missing.
    func stores(_ kind: MachineStore.Kind) throws -> [MachineStore] {
        switch kind {
        case .system: [platform == .linux ? try debian() : keychain()]
        case .browser: try databases()
        case .java: [try java()]
        }
    }

    private var sudo: String { isRoot ? "" : "sudo " }
    private var root: ShellWord { ShellWord(posix: rootFile) }

    private func debian() throws -> MachineStore {
        let path = (environment["PATH"] ?? "/usr/bin:/bin") + ":/usr/sbin:/sbin"
        guard ProgramFile.find("update-ca-certificates", path: path) != nil else {
            throw InputError(
                "this system has no update-ca-certificates (package ca-certificates of Debian and Ubuntu); 'inspect ca' shows other ways"
            )
        }
        let folder = "/etc/ssl/certs"
        let others = otherRoots()
        let names = [ownName, Self.sharedName]
        // Another root may have taken the place of this one.
        let removals = names.map { name in
            "if cmp -s \(root) \(debianFile(name)); then \(sudo)rm -f \(debianFile(name)); fi"
        }
        // Without a line that says so, the tool leaves the links of what is gone, and its hooks hear nothing of it.
        let gone = names.map { "[ -e \(debianFile($0)) ] || echo '!\($0)'" }.joined(separator: "; ")
        return MachineStore(
            kind: .system,
            title: "this system: curl, wget, git, Go, Ruby, Python's ssl",
            probe: .bundle(folder + "/ca-certificates.crt"),
            // All of it: the tool mends what was odd in it, and the JDK's file in it, which follows by a hook, is never the same again.
            files: [folder],
            isWhole: false,
            prefix: sudo,
            install: [
                "\(sudo)install -D -m 644 \(root) \(debianFile(ownName))", "\(sudo)update-ca-certificates",
            ],
            uninstall: removals + [
                "(cat /etc/ca-certificates.conf; \(gone)) > @undo@/ca-certificates.conf",
                "\(sudo)update-ca-certificates --certsconf @undo@/ca-certificates.conf",
            ],
            remarks: others.map { name in
                let command = "\(sudo)rm \(debianFile(name)) && \(sudo)update-ca-certificates --fresh"
                return "this system trusts another root of inspect; where nobody uses it any more: \(command)"
            },
            others: others.map { debianFolder + "/" + $0 }
        )
    }

    private func debianFile(_ name: String) -> ShellWord { ShellWord(posix: debianFolder + "/" + name) }

    /// The names of the other roots of inspect's that the system trusts: one may be an earlier one of this user's.
    private func otherRoots() -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: debianFolder)) ?? []
        return names.sorted().filter { name in
            name.hasPrefix("inspect-root") && name.hasSuffix(".crt")
                && !PEMFile(path: debianFolder + "/" + name).holds(rootPEM)
        }
    }

    private func keychain() -> MachineStore {
        let keychain = ShellWord(posix: (environment["HOME"] ?? "") + "/Library/Keychains/login.keychain-db")
        let digest = PEM.certificates(rootPEM).first.map { Insecure.SHA1.hash(data: $0) }
        let hash = digest.map { Hexadecimal.text(Array($0)).uppercased() } ?? ""
        return MachineStore(
            kind: .system,
            title: "this user's keychain: Safari, Chrome, every app",
            probe: .keychain(rootFile),
            files: [],
            isWhole: false,
            install: ["security add-trusted-cert -r trustRoot -k \(keychain) \(root)"],
            uninstall: ["security remove-trusted-cert \(root)", "security delete-certificate -Z \(hash) \(keychain)"]
        )
    }

    private func databases() throws -> [MachineStore] {
        guard ProgramFile.find("certutil", path: environment["PATH"]) != nil else {
            throw InputError(NSSDatabase.certutilMissing)
        }
        let found = NSSDatabase.all(environment: environment)
        // On macOS, Chrome asks the keychain: there the databases are Firefox's alone.
        let meant = platform == .macOS ? found.filter(\.isThere) : found
        guard !meant.isEmpty else {
            throw InputError("there is no certificate database of a browser in your home; start Firefox once")
        }
        return meant.map(store)
    }

    private func store(_ database: NSSDatabase) -> MachineStore {
        let (folder, name) = (ShellWord(posix: database.folder), ShellWord(posix: nickname))
        let place = ShellWord(posix: database.name)
        // By its key (RFC 7512), since another root may have its name.
        let own = ShellWord(posix: "pkcs11:id=" + PercentCoding.encoded(keyDigest, keeping: .none))
        let isFirefox = database.folder.contains("firefox")
        return MachineStore(
            kind: .browser,
            title: "\(isFirefox ? "Firefox" : "Chromium and Chrome") (\(VisibleText.line(database.folder)))",
            probe: .nss(database, nickname: nickname),
            files: database.files,
            folder: database.folder,
            install: (database.isThere
                ? [] : ["mkdir -p \(folder)", "certutil -N --empty-password -d \(place)"])
                + ["certutil -A -d \(place) -n \(name) -t C,, -i \(root)"],
            uninstall: ["certutil -D -d \(place) -n \(own)"]
        )
    }

    private func java() throws -> MachineStore {
        guard let java = JavaRuntime(environment: environment) else {
            throw InputError("there is no JDK on this machine: neither JAVA_HOME nor a java on the PATH leads to one")
        }
        let prefix = FileManager.default.isWritableFile(atPath: java.roots) ? "" : sudo
        let (tool, file) = (ShellWord(posix: java.keytool), ShellWord(posix: java.roots))
        let common = "-keystore \(file) -storepass changeit -alias \(JavaRuntime.alias)"
        return MachineStore(
            kind: .java,
            title: "Java (\(VisibleText.line(java.roots)))",
            probe: .keystore(java.roots, keytool: java.keytool),
            files: [java.roots],
            prefix: prefix,
            install: ["\(prefix)\(tool) -importcert -noprompt \(common) -file \(root)"],
            uninstall: ["\(prefix)\(tool) -delete \(common)"]
        )
    }
}
