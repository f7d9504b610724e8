import Foundation
import Support
import Testing
import Traffic
import Trust

@testable import inspect

/// `inspect doctor` on a healthy machine of the test's own, and with one fault after the other.
@Suite("What keeps traffic from being captured", .timeLimit(.minutes(6)))
struct DoctorCommandTests {
    /// One thing made wrong.
    private struct Fault {
        let name: String
        /// Makes it wrong in a shell of its own, which `doctor` then runs in; `$options` name the store and the root.
        let plant: String
        /// What has to be said.
        let problem: String
        let mend: String
        /// What makes it right again, where the end of the shell does not.
        var undo = ""
    }

    private static let faults = [
        Fault(
            name: "no proxy",
            plant: "options=\"--store $DIR/none.db --ca-directory $DIR/ca\"",
            problem: "no proxy runs on DIR/none.db",
            mend: "inspect start --store DIR/none.db --ca-directory DIR/ca"
        ),
        Fault(
            name: "port taken",
            plant: """
                options="--store $DIR/none.db --ca-directory $DIR/ca"
                "$PYTHON" -c 'import socket; s = socket.create_server(("127.0.0.1", 9090)); open("'$DIR'/taken", "w"); s.accept(); s.accept()' & taker=$!
                until [ -e $DIR/taken ]; do :; done
                """,
            problem: "another program has port 9090",
            mend: "inspect start --port 0 --web-port 0",
            undo: "kill $taker"
        ),
        Fault(
            name: "port closed",
            plant: """
                port=$(sed -n 's/^proxy .*:\\([0-9]*\\)$/\\1/p' $DIR/start)
                iptables -I INPUT -i lo -p tcp --dport $port -j REJECT --reject-with tcp-reset
                """,
            problem: "takes no connection at 127.0.0.1:",
            mend: "inspect stop --store DIR/captures.db; inspect start --store DIR/captures.db",
            undo: "iptables -F INPUT"
        ),
        Fault(
            name: "proxy hangs",
            plant: "kill -STOP $proxy",
            problem: "does not answer at http://127.0.0.1:",
            mend: "kill -9 ",
            undo: "kill -CONT $proxy"
        ),
        Fault(
            name: "proxy leads elsewhere",
            plant: """
                options="--store $DIR/second.db --ca-directory $DIR/ca"
                "$INSPECT" start --port 0 --web-port 0 --upstream-proxy http://127.0.0.1:1 $options > $DIR/second & second=$!
                until grep -q '^page' $DIR/second; do :; done
                """,
            problem: "a request through the proxy to a server on this machine fails: ",
            mend: "without the option that leads elsewhere",
            undo: "kill $second; wait $second"
        ),
        Fault(
            name: "proxy of another root",
            plant: "options=\"--store $DIR/captures.db --ca-directory $DIR/other\"",
            problem: "signs with another root than that in DIR/other",
            mend: "inspect start --store DIR/captures.db --ca-directory DIR/other"
        ),
        Fault(
            name: "paused",
            plant: "\"$INSPECT\" pause --store $DIR/captures.db > $DIR/paused",
            problem: "recording is paused",
            mend: "inspect resume --store DIR/captures.db",
            undo: "\"$INSPECT\" resume --store $DIR/captures.db > $DIR/resumed"
        ),
        Fault(
            name: "no root",
            plant: "options=\"--store $DIR/captures.db --ca-directory $DIR/nothing\"",
            problem: "there is no root certificate in DIR/nothing",
            mend: "inspect ca --ca-directory DIR/nothing"
        ),
        Fault(
            name: "key open to others",
            plant: "chmod 644 $DIR/ca/root-key.pem",
            problem: "DIR/ca/root-key.pem is open to other users of this machine (mode 644)",
            mend: "chmod 600 DIR/ca/root-key.pem",
            undo: "chmod 600 $DIR/ca/root-key.pem"
        ),
        Fault(
            name: "key of another root",
            plant: """
                mkdir -m 700 $DIR/mixed; cp -p $DIR/ca/root.pem $DIR/other/root-key.pem $DIR/mixed
                options="--store $DIR/captures.db --ca-directory $DIR/mixed"
                """,
            problem: "DIR/mixed/root.pem does not belong to the key in DIR/mixed/root-key.pem",
            mend: "mv DIR/mixed DIR/mixed.broken"
        ),
        Fault(
            name: "root expired",
            plant: "options=\"--store $DIR/captures.db --ca-directory $DIR/expired\"",
            problem: "the root certificate expired on ",
            mend: "mv DIR/expired DIR/expired.expired"
        ),
        Fault(
            name: "root not valid yet",
            plant: "options=\"--store $DIR/captures.db --ca-directory $DIR/future\"",
            problem: "and this machine's clock says ",
            mend: "sudo timedatectl set-ntp true"
        ),
        Fault(
            name: "system",
            plant: "cp $DIR/roots-before /etc/ssl/certs/ca-certificates.crt",
            problem: "the root is not trusted by this system",
            mend: "inspect ca install --system",
            undo: "cp $DIR/roots-after /etc/ssl/certs/ca-certificates.crt"
        ),
        Fault(
            name: "browser",
            plant: "export HOME=$DIR/elsewhere",
            problem: "the root is not trusted by Chromium and Chrome (DIR/elsewhere/.pki/nssdb)",
            mend: "inspect ca install --browser"
        ),
        Fault(
            name: "browser that holds it and trusts it not",
            plant: """
                profile=$HOME/.mozilla/firefox/abc.default; name=$(openssl x509 -noout -subject -nameopt multiline -in $DIR/ca/root.pem | sed -n 's/ *commonName *= //p')
                certutil -M -d sql:$profile -n "$name" -t ,,
                """,
            problem: "the root is not trusted by Firefox (DIR/home/.mozilla/firefox/abc.default)",
            mend: "inspect ca install --browser",
            undo: "certutil -M -d sql:$profile -n \"$name\" -t C,,"
        ),
        Fault(
            name: "java",
            plant: "cp $DIR/java-before /etc/ssl/certs/java/cacerts",
            problem: "the root is not trusted by Java (/etc/ssl/certs/java/cacerts)",
            mend: "inspect ca install --java",
            undo: "cp $DIR/java-after /etc/ssl/certs/java/cacerts"
        ),
        Fault(
            name: "curl",
            plant: """
                mkdir $DIR/no-roots; unset CURL_CA_BUNDLE SSL_CERT_FILE
                printf 'cacert = "%s"\\ncapath = "%s"\\n' $DIR/roots-before $DIR/no-roots > $HOME/.curlrc
                """,
            problem: "curl of this shell does not trust the root: ",
            mend: "inspect ca install --system",
            undo: "rm $HOME/.curlrc"
        ),
        Fault(
            name: "Python",
            plant: "unset REQUESTS_CA_BUNDLE CURL_CA_BUNDLE",
            problem: "Python of this shell does not trust the root: requests: ",
            mend: "eval \"$(inspect env"
        ),
        Fault(
            name: "Node",
            plant: "unset NODE_EXTRA_CA_CERTS",
            problem: "Node of this shell does not trust the root: ",
            mend: "export NODE_EXTRA_CA_CERTS=DIR/ca/root.pem"
        ),
        Fault(
            name: "roots missing",
            plant: "export GIT_SSL_CAINFO=$DIR/no-such.pem",
            problem: "GIT_SSL_CAINFO names DIR/no-such.pem, which cannot be read",
            mend: "eval \"$(inspect env"
        ),
        Fault(
            name: "roots without ours",
            plant: "export GIT_SSL_CAINFO=$DIR/roots-before",
            problem: "GIT_SSL_CAINFO names DIR/roots-before, which lacks the root",
            mend: "eval \"$(inspect env"
        ),
        Fault(
            name: "variables fight",
            plant: "export HTTP_PROXY=http://127.0.0.1:1",
            problem: "http_proxy is “http://127.0.0.1:",
            mend: "eval \"$(inspect env"
        ),
        Fault(
            name: "proxy elsewhere",
            plant: "export https_proxy=http://127.0.0.1:1 HTTPS_PROXY=http://127.0.0.1:1",
            problem: "HTTPS_PROXY is “http://127.0.0.1:1”, and the proxy is at http://127.0.0.1:",
            mend: "eval \"$(inspect env"
        ),
        Fault(
            name: "past the proxy",
            plant: "export no_proxy=localhost,.test NO_PROXY=localhost,.test",
            problem: "no_proxy keeps “localhost,.test” from the proxy",
            mend: "eval \"$(inspect env"
        ),
        Fault(
            name: "store damaged",
            plant: """
                mkdir -m 700 $DIR/bad; cp -p $DIR/captures.db $DIR/bad
                yes damage | dd of=$DIR/bad/captures.db bs=4096 seek=2 count=40 conv=notrunc iflag=fullblock status=none
                options="--store $DIR/bad/captures.db --ca-directory $DIR/ca"
                """,
            problem: "the store DIR/bad/captures.db ",
            mend: "mv DIR/bad/captures.db* DIR/bad/damaged/"
        ),
        Fault(
            name: "disk full",
            plant: """
                mkdir $DIR/small; mount -t tmpfs -o size=8m none $DIR/small
                options="--store $DIR/small/captures.db --ca-directory $DIR/ca"
                """,
            problem: "the disk of DIR/small has 8",
            mend: "inspect clear before:1d --yes",
            undo: "umount $DIR/small"
        ),
    ]

    @Test("A healthy machine is told ok; each of the planted faults is found, with the command that mends it")
    func faults() async throws {
        let directory = try TemporaryDirectory()
        for (name, age) in [("other", 0.0), ("expired", -3 * 365 * 86_400), ("future", 30 * 86_400)] {
            let files = TrustFiles(directory: directory.file(name))
            _ = try files.openRoot(hostName: "test", now: Date().addingTimeInterval(age))
        }
        let each = Self.faults.map { fault in
            """
            (
            \(fault.plant)
            "$INSPECT" doctor $options > "$DIR/said-\(fault.name)" 2>&1; echo "\(fault.name): $?"
            \(fault.undo)
            )

            """
        }
        let ran = try await MachineScenario.run(
            #"""
            cp /etc/ssl/certs/ca-certificates.crt "$DIR/roots-before"; cp /etc/ssl/certs/java/cacerts "$DIR/java-before"
            inspect ca install --yes --ca-directory "$DIR/ca" > "$DIR/installed" 2>&1 || cat "$DIR/installed"
            cp /etc/ssl/certs/ca-certificates.crt "$DIR/roots-after"; cp /etc/ssl/certs/java/cacerts "$DIR/java-after"
            "$INSPECT" start --port 0 --web-port 0 $PLACES > "$DIR/start" 2>&1 & proxy=$!
            until grep -q '^page' "$DIR/start"; do kill -0 $proxy || { cat "$DIR/start"; exit 1; }; done
            eval "$("$INSPECT" env $PLACES)"
            options=$PLACES
            "$INSPECT" doctor $PLACES; echo "healthy: $?"
            """# + "\n" + each.joined() + #"""
                "$INSPECT" doctor $PLACES; echo "healthy still: $?"
                kill $proxy; wait $proxy
                """#,
            in: directory
        )
        let expected = ["ok", "healthy: 0"] + Self.faults.map { "\($0.name): 1" } + ["ok", "healthy still: 0"]
        #expect(ran.output.split(separator: "\n").map(String.init) == expected, "\(ran.output)\(ran.errors)")
        for fault in Self.faults {
            let said = (try? directory.read("said-\(fault.name)")).map { String(decoding: $0, as: UTF8.self) } ?? ""
            let problem = fault.problem.replacing("DIR", with: directory.path)
            let lines = said.split(separator: "\n").map(String.init)
            let place = lines.firstIndex { $0.contains(problem) }
            #expect(place != nil, "\(fault.name): \(said)")
            guard let place, place + 1 < lines.count else { continue }
            let mend = fault.mend.replacing("DIR", with: directory.path)
            #expect(lines[place + 1].hasPrefix("  mend: ") && lines[place + 1].contains(mend), "\(fault.name): \(said)")
        }
    }

    @Test("A clock that was set back behind what was recorded is found")
    func clock() async throws {
        let directory = try TemporaryDirectory()
        let origin = try await RecordingOrigin.start()
        let ran = try await RunningInspect.run(
            ["run"] + RunningInspect.places(directory) + ["--", "curl", "-s", "http://127.0.0.1:\(origin.port)/"],
            in: directory
        )
        #expect(ran.status == 0, "\(ran.errors)")
        let places = Doctor.Places(
            storePath: RunningInspect.store(directory),
            files: TrustFiles(directory: directory.file("ca"))
        )
        #expect(Doctor(places: places, environment: [:], now: Date()).clock() == [])
        let late = Doctor(places: places, environment: [:], now: Date().addingTimeInterval(-3_600)).clock()
        #expect(late.map(\.mend) == ["sudo timedatectl set-ntp true"])
    }

    @Test(
        "A clock that all servers contradict is found; one server, this machine's own and kept answers say nothing",
        arguments: [
            ("Date: Thu, 20 Nov 2025 12:02:03 GMT\r\n", "192.0.2.1:443", 3, true),
            ("Date: Thu, 20 Nov 2025 16:02:03 GMT\r\n", "[2001:db8::1]:443", 4, true),
            ("Date: Thu, 20 Nov 2025 14:02:03 GMT\r\n", "192.0.2.1:443", 3, false),
            ("Date: Thu, 20 Nov 2025 12:02:03 GMT\r\n", "192.0.2.1:443", 2, false),
            ("Date: Thu, 20 Nov 2025 12:02:03 GMT\r\n", "127.0.0.1:443", 3, false),
            ("Date: Thu, 20 Nov 2025 12:02:03 GMT\r\nAge: 7200\r\n", "192.0.2.1:443", 3, false),
            ("Date: yesterday\r\n", "192.0.2.1:443", 3, false),
        ]
    )
    func servers(_ fields: String, _ address: String, _ count: Int, isFound: Bool) async throws {
        let store = try CapturedStore()
        var started: Int64 = 0
        for token in 1...count {
            var sample = Sample(CaptureToken(token), fields: fields)
            sample.exchange.upstream = Peer(token: 2, address: address, tls: nil)
            started = sample.exchange.timeline.started
            try await store.record(sample)
        }
        let places = Doctor.Places(storePath: store.path, files: TrustFiles(directory: store.file("ca")))
        let now = Date(timeIntervalSince1970: Double(started) / 1_000_000 + 1)
        let findings = Doctor(places: places, environment: [:], now: now).clock()
        #expect(findings.map(\.mend) == (isFound ? ["sudo timedatectl set-ntp true"] : []), "\(findings)")
        if isFound {
            #expect(findings[0].problem.contains("clock said 2025-11-20T14:02:03Z when api.example.test said 2025"))
        }
    }
}
