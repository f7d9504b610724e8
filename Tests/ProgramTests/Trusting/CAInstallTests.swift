import Foundation
import Support
import Testing
import Trust

/// `inspect ca install` and `ca uninstall` on a machine of the test's own.
@Suite("The root in this machine's stores", .timeLimit(.minutes(15)))
struct CAInstallTests {
    @Test(
        "Installed, the system, browsers and Java trust the root; taken back, every store is what it was, byte for byte"
    )
    func undone() async throws {
        let directory = try TemporaryDirectory()
        let ran = try await MachineScenario.run(
            #"""
            ca="--ca-directory $DIR/ca"
            root=$DIR/ca/root.pem
            stores > "$DIR/before"
            inspect ca install --dry-run $ca > "$DIR/dry" || echo "dry run: $?"
            stores > "$DIR/after-dry"
            cmp "$DIR/before" "$DIR/after-dry" && echo "dry run changes nothing"
            inspect ca install $ca < /dev/null > "$DIR/shown" 2> "$DIR/unasked"; echo "unasked $?"
            stores | cmp "$DIR/before" - && echo "unasked changes nothing"
            inspect ca install --yes $ca > "$DIR/installed" 2>&1 || { cat "$DIR/installed"; echo "install: $?"; }
            grep -q "$(sed -n 2p "$root")" /etc/ssl/certs/ca-certificates.crt && echo "system trusts"
            for db in "$HOME/.pki/nssdb" "$profile"; do
                certutil -L -a -n "$(openssl x509 -in "$root" -noout -subject -nameopt multiline | sed -n 's/.*commonName *= //p')" -d "sql:$db" | grep -q "$(sed -n 2p "$root")" && echo "database trusts"
            done
            keytool -list -rfc -cacerts -storepass changeit 2> /dev/null | tr -d '\r' | grep -q "$(sed -n 2p "$root")" && echo "java trusts"
            inspect ca install --yes $ca 2> /dev/null
            inspect ca uninstall --yes $ca > "$DIR/taken" 2>&1 || { cat "$DIR/taken"; echo "uninstall: $?"; }
            stores > "$DIR/after"
            diff "$DIR/before" "$DIR/after" && echo "as it was"
            inspect ca uninstall --yes $ca
            """#,
            in: directory
        )
        let said = try ["dry", "installed", "taken"].map { String(decoding: try directory.read($0), as: UTF8.self) }
        #expect(
            ran.output == """
                dry run changes nothing
                unasked 2
                unasked changes nothing
                system trusts
                database trusts
                database trusts
                java trusts
                Nothing to install.
                as it was
                Nothing to take back.

                """,
            "\(ran.output)\(ran.errors)\(said)"
        )
        let dry = said[0]
        #expect(
            dry.contains("\nupdate-ca-certificates\n") && dry.contains("certutil -A -d") && dry.contains("-importcert")
        )
        let unasked = String(decoding: try directory.read("unasked"), as: UTF8.self)
        #expect(unasked.contains("say --yes to do so without being asked"), "\(unasked)")
    }

    /// A directory with another authority's root in it, `other.pem`.
    private func directoryOfOtherRoot() async throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        let other = try await TestAuthority()
        let pem = try Data(contentsOf: URL(filePath: other.rootFile))
        try directory.write(String(decoding: pem, as: UTF8.self), to: "other.pem")
        return directory
    }

    @Test("A store that something else changed meanwhile keeps that, and loses the root alone")
    func changed() async throws {
        let directory = try await directoryOfOtherRoot()
        let ran = try await MachineScenario.run(
            #"""
            ca="--ca-directory $DIR/ca"
            inspect ca install --system --browser --yes $ca > "$DIR/installed" 2>&1 || cat "$DIR/installed"
            certutil -A -n other -t C,, -i "$DIR/other.pem" -d "sql:$profile"
            install -m 644 "$DIR/other.pem" /usr/local/share/ca-certificates/other.crt
            update-ca-certificates > "$DIR/updated" 2>&1
            inspect ca uninstall --yes $ca > "$DIR/taken" 2>&1 || cat "$DIR/taken"
            certutil -L -d "sql:$profile" | grep -c 'other  '
            certutil -L -d "sql:$profile" | grep -c 'inspect root'
            grep -c "$(sed -n 2p "$DIR/other.pem")" /etc/ssl/certs/ca-certificates.crt
            grep -c "$(sed -n 2p "$DIR/ca/root.pem")" /etc/ssl/certs/ca-certificates.crt
            find -L /etc/ssl/certs -type l
            ls "$HOME/.pki" 2> /dev/null
            """#,
            in: directory
        )
        #expect(ran.output == "1\n0\n1\n0\n", "\(ran.output)\(ran.errors)")
    }

    @Test("Another root that took the place of ours among the system's stays")
    func replaced() async throws {
        let directory = try await directoryOfOtherRoot()
        let ran = try await MachineScenario.run(
            #"""
            ca="--ca-directory $DIR/ca"
            inspect ca install --system --yes $ca > "$DIR/installed" 2>&1 || cat "$DIR/installed"
            install -m 644 "$DIR/other.pem" /usr/local/share/ca-certificates/inspect-root-*.crt
            update-ca-certificates > "$DIR/updated" 2>&1
            inspect ca uninstall --yes $ca > "$DIR/taken" 2>&1 || cat "$DIR/taken"
            grep -c "$(sed -n 2p "$DIR/other.pem")" /etc/ssl/certs/ca-certificates.crt
            grep -c "$(sed -n 2p "$DIR/ca/root.pem")" /etc/ssl/certs/ca-certificates.crt
            """#,
            in: directory
        )
        #expect(ran.output == "1\n0\n", "\(ran.output)\(ran.errors)")
    }

    @Test("Another root of inspect among the system's is left alone, and told; one that came in by hand is taken out")
    func beside() async throws {
        let directory = try await directoryOfOtherRoot()
        let ran = try await MachineScenario.run(
            #"""
            ca="--ca-directory $DIR/ca"
            own=/usr/local/share/ca-certificates
            count() { for root in other.pem ca/root.pem; do grep -c "$(sed -n 2p "$DIR/$root")" /etc/ssl/certs/ca-certificates.crt; done; }
            install -m 644 "$DIR/other.pem" $own/inspect-root.crt
            update-ca-certificates > "$DIR/updated" 2>&1
            inspect ca install --system --yes $ca > "$DIR/installed" 2> "$DIR/notes" || cat "$DIR/installed" "$DIR/notes"
            grep -c "another root of inspect.*rm $own/inspect-root.crt" "$DIR/notes"
            count
            inspect ca uninstall --yes $ca > "$DIR/taken" 2>&1 || cat "$DIR/taken"
            count
            cmp "$DIR/other.pem" $own/inspect-root.crt && ls $own | grep -c inspect-root
            install -m 644 "$DIR/ca/root.pem" $own/inspect-root.crt
            update-ca-certificates > "$DIR/updated" 2>&1
            count
            inspect ca uninstall --yes $ca > "$DIR/taken" 2>&1 || cat "$DIR/taken"
            count
            """#,
            in: directory
        )
        #expect(ran.output == "1\n1\n1\n1\n0\n1\n0\n1\n0\n0\n", "\(ran.output)\(ran.errors)")
    }

    @Test("A root that was moved away stays trusted as a whole when the new one is taken back")
    func movedAway() async throws {
        let directory = try TemporaryDirectory()
        let ran = try await MachineScenario.run(
            #"""
            ca="--ca-directory $DIR/ca"
            count() { for root in old.pem ca/root.pem; do grep -c "$(sed -n 2p "$DIR/$root")" /etc/ssl/certs/ca-certificates.crt; done; }
            inspect ca install --system --yes $ca > "$DIR/installed" 2>&1 || cat "$DIR/installed"
            mv "$DIR/ca/root.pem" "$DIR/old.pem"
            mv "$DIR/ca/root-key.pem" "$DIR/old-key.pem"
            inspect ca install --system --yes $ca > "$DIR/installed" 2>&1 || cat "$DIR/installed"
            count
            inspect ca uninstall --yes $ca > "$DIR/taken" 2>&1 || cat "$DIR/taken"
            count
            """#,
            in: directory
        )
        #expect(ran.output == "1\n1\n1\n0\n", "\(ran.output)\(ran.errors)")
    }

    @Test("What a machine does not have is refused by name, and left out where nothing is named")
    func absent() async throws {
        let directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: directory.file("empty"), withIntermediateDirectories: false)
        let program = try Executable.inspect()
        let environment = [
            "PATH": directory.file("empty"), "HOME": directory.path, "JAVA_HOME": nil, "SWIFT_BACKTRACE": "enable=no",
        ]
        for (option, said) in [
            ("--browser", "certutil is not on this machine; install it: sudo apt install libnss3-tools"),
            ("--java", "there is no JDK on this machine"),
        ] {
            let ended = try await CommandLineTool.run(
                program,
                ["ca", "install", "--dry-run", option, "--ca-directory", directory.file("ca")],
                environment: environment
            )
            #expect(ended.status == 2)
            #expect(ended.errors.contains(said), "\(ended.errors)")
        }
        let all = try await CommandLineTool.run(
            program,
            ["ca", "install", "--dry-run", "--ca-directory", directory.file("ca")],
            environment: environment
        )
        #expect(all.status == 0 && all.errors.contains("note: --java is left out"), "\(all.errors)")
    }

    @Test(
        "A place whose tool does not answer is told with the command that tries it again, the others are done, and the exit status says so"
    )
    func unanswered() async throws {
        let directory = try TemporaryDirectory()
        for folder in ["bin", "jdk/bin", "jdk/lib/security", "home/.pki/nssdb"] {
            try FileManager.default.createDirectory(atPath: directory.file(folder), withIntermediateDirectories: true)
        }
        try directory.write("", to: "home/.pki/nssdb/cert9.db")
        try directory.write("", to: "jdk/lib/security/cacerts")
        // It keeps one certificate in a plain file.
        let keytool = #"""
            #!/bin/sh
            for word; do case $last in -keystore) store=$word ;; -file) root=$word ;; esac; last=$word; done
            case "$*" in
            -importcert*) cat "$root" > "$store" ;;
            -delete*) : > "$store" ;;
            *-alias*) [ -s "$store" ] && cat "$store" ;;
            *) cat "$store" ;;
            esac
            """#
        for (name, script) in [
            ("bin/certutil", "#!/bin/sh\nkill -KILL $$\n"), ("jdk/bin/java", keytool), ("jdk/bin/keytool", keytool),
        ] {
            let path = try directory.write(script, to: name)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
        // A line break in its name stays one in the command that is told.
        let authority = directory.file("c\na")
        let environment: [String: String?] = [
            "PATH": directory.file("bin") + ":/usr/bin:/bin", "HOME": directory.file("home"),
            "JAVA_HOME": directory.file("jdk"), "XDG_DATA_HOME": nil, "XDG_CONFIG_HOME": nil,
        ]
        func arguments(_ direction: String) -> [String] {
            ["ca", direction, "--browser", "--java", "--yes", "--ca-directory", authority]
        }
        func failure(_ direction: String) -> String {
            "inspect: nothing is done for Chromium and Chrome (\(directory.file("home/.pki/nssdb"))): certutil did not answer;"
                + " try again: inspect ca \(direction) --browser --ca-directory '\(authority)'\n"
        }
        let installed = try await CommandLineTool.run(
            try Executable.inspect(),
            arguments("install"),
            environment: environment
        )
        #expect(installed.status == 1 && installed.output.contains("Trusted now by: Java ("), "\(installed)")
        #expect(installed.errors.contains(failure("install")), "\(installed.errors)")
        #expect(try directory.read("jdk/lib/security/cacerts") == directory.read("c\na/root.pem"))
        // Nobody has to read what it says.
        let removed = try await UnreadOutput.run(arguments("uninstall"), environment: environment)
        #expect(removed.output == "1\n" && removed.errors.contains(failure("uninstall")), "\(removed)")
        #expect(try directory.read("jdk/lib/security/cacerts").isEmpty)
    }

    @Test("A root whose time is over can still be taken back")
    func expired() async throws {
        let directory = try TemporaryDirectory()
        let files = TrustFiles(directory: directory.file("ca"))
        _ = try files.openRoot(hostName: "old", now: Date(timeIntervalSince1970: 1_600_000_000))
        let ended = try await CommandLineTool.run(
            try Executable.inspect(),
            ["ca", "uninstall", "--browser", "--dry-run", "--ca-directory", files.directory],
            environment: ["HOME": directory.path]
        )
        #expect(ended.status == 0 && ended.output == "Nothing to take back.\n", "\(ended.output)\(ended.errors)")
    }
}
