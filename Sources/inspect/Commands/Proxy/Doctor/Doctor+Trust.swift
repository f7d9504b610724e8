import Foundation
import Traffic
import Trust

extension Doctor {
    /// Seconds for which a runtime waits for our own server; Python waits twice, and has to report both ends within `QuietCommand.limit`.
    private static let answerSeconds = 50
    /// The exit status of a runtime that got no answer in time; it is curl's.
    private static let unansweredStatus: Int32 = 28

    /// Finds what on this machine trusts the root and what does not: reads the stores, and has curl, Python and Node ask a server with a certificate of ours.
    func trust(_ root: RootCertificate) async throws -> DoctorCheck {
        let authority = try CertificateAuthority(root: root) { now }
        let leaf = try authority.leaf(for: ServerName("localhost"))
        return try await DoctorOrigin.run(answer: "ok", certificate: leaf) { origin in
            let url = "https://localhost:\(origin.port)/"
            async let stores = stores(root)
            async let curl = runtime("curl", curlWords(url), mend: command("ca install --system"))
            async let python = runtime("Python", pythonWords(url), mend: setVariables)
            async let node = runtime("Node", nodeWords(url), mend: nodeMend)
            let parts = try await [stores, curl, python, node]
            let who = parts.flatMap(\.works)
            let works = who.isEmpty ? [] : ["the root is trusted by \(who.joined(separator: ", "))"]
            return DoctorCheck(works: works, findings: parts.flatMap(\.findings))
        }
    }

    /// The stores of this machine that trust the root, by their titles, and what is wrong with the others.
    private func stores(_ root: RootCertificate) async throws -> DoctorCheck {
        let machine = MachineStores(
            rootFile: places.files.certificatePath,
            rootPEM: root.pem,
            nickname: root.commonName,
            keyDigest: root.keyDigest,
            environment: environment
        )
        var (titles, findings) = ([String](), [DoctorFinding]())
        for kind in MachineStore.Kind.allCases {
            for store in (try? machine.stores(kind)) ?? [] where isUsed(store) {
                do {
                    if try await store.isTrusting(root.pem, environment: environment) {
                        titles.append(store.title)
                        continue
                    }
                    let problem = "the root is not trusted by \(store.title)"
                    findings.append(DoctorFinding(problem, mend: command("ca install --\(kind.rawValue)")))
                } catch let error as InputError {
                    let problem = "it is not known whether the root is trusted by \(store.title): \(shown("\(error)"))"
                    findings.append(DoctorFinding(problem, mend: command("doctor")))
                }
            }
        }
        let hasBrowser = Browser.allCases.contains { $0.program(path: environment["PATH"]) != nil }
        if hasBrowser, ProgramFile.find("certutil", path: environment["PATH"]) == nil {
            findings.append(
                DoctorFinding(
                    "there is a browser, and no certutil to have it trust the root",
                    mend: "sudo apt install libnss3-tools && \(command("ca install --browser"))"
                )
            )
        }
        return DoctorCheck(works: titles, findings: findings)
    }

    /// Chromium's database counts only where Chromium is installed.
    private func isUsed(_ store: MachineStore) -> Bool {
        guard case .nss(let database, _) = store.probe, !database.isThere else { return true }
        return Browser.chromium.program(path: environment["PATH"]) != nil
    }

    /// Has a runtime ask the server: works, by its name, where it trusts the certificate; nothing is said of a runtime that is not installed.
    private func runtime(_ name: String, _ words: [String], mend: String) async throws -> DoctorCheck {
        func wrong(_ problem: String, mend: String) -> DoctorCheck {
            DoctorCheck(works: [], findings: [DoctorFinding("\(name) of this shell \(problem)", mend: mend)])
        }
        // The request goes past every proxy: whether the root is trusted does not depend on the way of a request.
        let direct = environment.filter { !$0.key.lowercased().hasSuffix("_proxy") }
        let asked: QuietCommand.Outcome?
        do { asked = try await QuietCommand.run(words, environment: direct) } catch let error as InputError {
            return wrong("cannot be asked: \(shown("\(error)"))", mend: command("doctor"))
        }
        guard let asked else { return DoctorCheck(works: [], findings: []) }
        guard !asked.isSuccess else { return DoctorCheck(works: ["\(name) of this shell"], findings: []) }
        if asked.isUnheard || asked.status == Self.unansweredStatus {
            return wrong("did not answer", mend: command("doctor"))
        }
        // Python prints the calls that led to an error before the error.
        let line = words.first == "python3" ? asked.lastLine : asked.firstLine
        let said = shown(String(line.trimmingCharacters(in: .whitespaces).prefix(200)))
        return wrong("does not trust the root: \(said)", mend: mend)
    }

    private func curlWords(_ url: String) -> [String] {
        ["curl", "-sS", "-o", "/dev/null", "--noproxy", "*", "--max-time", "\(Self.answerSeconds)", url]
    }

    /// A program that asks by the ssl module, then by requests, which may have its own list of roots.
    private func pythonWords(_ url: String) -> [String] {
        let script = """
            import sys, urllib.request
            def ask(name, get):
                try:
                    get(sys.argv[1])
                except Exception as error:
                    if "timed out" in str(error):
                        sys.exit(\(Self.unansweredStatus))
                    sys.exit(f"{name}: {error}")
            ask("urllib", lambda url: urllib.request.urlopen(url, timeout=\(Self.answerSeconds)).read())
            try:
                import requests
            except ImportError:
                requests = None
            if requests:
                ask("requests", lambda url: requests.get(url, timeout=\(Self.answerSeconds)))
            """
        return ["python3", "-c", script, url]
    }

    private func nodeWords(_ url: String) -> [String] {
        let script = """
            function fail(text) { console.error(text); process.exit(1); }
            require("https").get(process.argv[1], (answer) => answer.resume()).on("error", (error) => fail(error.message));
            setTimeout(() => process.exit(\(Self.unansweredStatus)), \(Self.answerSeconds * 1_000)).unref();
            """
        return ["node", "-e", script, url]
    }

    private var nodeMend: String {
        let (root, bundle) = (ShellWord(places.files.certificatePath), ShellWord(places.files.bundlePath))
        return ClientRecipe.node.exports(root: root, bundle: bundle).joined(separator: "; ")
    }
}
