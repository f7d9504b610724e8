import Traffic

extension TrustGuide {
    /// The sections in the order people need them: systems, browsers, then tools and runtimes.
    ///
    /// - Parameters:
    ///   - certificate: the root's file.
    ///   - bundle: the file of this machine's roots and ours.
    ///   - name: what databases call the root.
    ///   - systemFile: where Debian's tools find it, which is where 'ca install' puts it and 'ca uninstall' looks for it.
    /// - Returns: the sections.
    static func sections(
        certificate: ShellWord,
        bundle: ShellWord,
        name: ShellWord,
        systemFile: String
    ) -> [Section] {
        let variables = [ClientRecipe.curl, .python, .node].map {
            section($0, certificate: certificate, bundle: bundle)
        }
        return systems(certificate: certificate, name: name, systemFile: systemFile) + variables
            + [java(certificate: certificate)]
    }

    /// A client that is told by variables.
    private static func section(_ recipe: ClientRecipe, certificate: ShellWord, bundle: ShellWord) -> Section {
        let file = recipe.rootUse == .replaces ? " The file holds this machine's roots and ours." : ""
        return Section(
            title: recipe.title,
            note: recipe.note + file,
            commands: recipe.exports(root: certificate, bundle: bundle),
            undo: []
        )
    }

    private static func systems(certificate: ShellWord, name: ShellWord, systemFile: String) -> [Section] {
        [
            Section(
                title: "Debian, Ubuntu",
                note: "For the whole system: curl, wget, git, Go, Ruby. Browsers, Python's requests, Node and Java"
                    + " keep lists of their own.",
                commands: ["sudo install -m 644 \(certificate) \(systemFile) && sudo update-ca-certificates"],
                undo: ["sudo rm \(systemFile) && sudo update-ca-certificates --fresh"]
            ),
            Section(
                title: "macOS",
                note: "For Safari, Chrome and every app of this user; asks for your password.",
                commands: [
                    "security add-trusted-cert -r trustRoot -k ~/Library/Keychains/login.keychain-db \(certificate)"
                ],
                undo: [
                    "security remove-trusted-cert \(certificate)",
                    "security delete-certificate -c \(name) ~/Library/Keychains/login.keychain-db",
                ]
            ),
            Section(
                title: "Firefox",
                note: "For every profile on Linux; needs certutil (sudo apt install libnss3-tools). By hand: Settings,"
                    + " Privacy & Security, View Certificates, Authorities, Import.",
                commands: [
                    "for db in ~/.mozilla/firefox/*/cert9.db; do certutil -A -d \"sql:${db%/cert9.db}\""
                        + " -n \(name) -t C,, -i \(certificate); done"
                ],
                undo: [
                    "for db in ~/.mozilla/firefox/*/cert9.db; do certutil -D -d \"sql:${db%/cert9.db}\""
                        + " -n \(name); done"
                ]
            ),
            Section(
                title: "Chrome, Chromium on Linux",
                note: "Needs certutil (sudo apt install libnss3-tools); start the browser again afterwards.",
                commands: [
                    "mkdir -p ~/.pki/nssdb && certutil -A -d sql:\"$HOME/.pki/nssdb\" -n \(name) -t C,,"
                        + " -i \(certificate)"
                ],
                undo: ["certutil -D -d sql:\"$HOME/.pki/nssdb\" -n \(name)"]
            ),
        ]
    }

    private static func java(certificate: ShellWord) -> Section {
        Section(
            title: "Java",
            note: "For the JDK whose keytool is on the PATH (9 or later; sudo where it belongs to root).",
            commands: [
                "keytool -importcert -noprompt -cacerts -storepass changeit -alias inspect-root"
                    + " -file \(certificate)"
            ],
            undo: ["keytool -delete -cacerts -storepass changeit -alias inspect-root"]
        )
    }
}
