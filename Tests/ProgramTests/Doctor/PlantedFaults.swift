/// Some things made wrong on a machine at once, none of which hides another, and what `doctor` has to say of each.
struct PlantedFaults: Sendable {
    /// One thing made wrong.
    struct Fault: Sendable {
        let name: String
        /// Makes it wrong in a shell of its own, which `doctor` then runs in.
        let plant: String
        /// What has to be said.
        let problem: String
        let mend: String
        /// How many findings it makes, this one among them.
        var count = 1
        /// What makes it right again, where the end of the shell does not.
        var undo = ""
    }

    /// The store that `doctor` is given, for the shell; the root's directory.
    let store: String
    let authority: String
    let faults: [Fault]
    /// Whether the shell keeps the variables that name the root's file.
    var hasRootVariables = true
    /// Whether the faults make further findings, which are not looked at.
    var hasOthers = false

    /// The names of all of them.
    var name: String { faults.map(\.name).joined(separator: ", ") }

    /// What the shell does: plants them, asks `doctor`, says the exit status, and takes them back.
    func script(sayingTo file: String) -> String {
        let variables = hasRootVariables ? "" : "bare\n"
        return """
            (
            \(variables)\(faults.map(\.plant).joined(separator: "\n"))
            "$INSPECT" doctor --store \(store) --ca-directory \(authority) > "$DIR/\(file)" 2>&1; echo "\(name): $?"
            \(faults.map(\.undo).joined(separator: "\n"))
            )

            """
    }

    static let all = [
        PlantedFaults(
            store: "$DIR/small/captures.db",
            authority: "$DIR/ca",
            faults: [
                Fault(
                    name: "disk full",
                    plant: "mkdir $DIR/small; mount -t tmpfs -o size=8m none $DIR/small",
                    problem: "the disk of DIR/small has 8",
                    mend: "du -xh DIR/small | sort -h | tail",
                    undo: "umount $DIR/small"
                ),
                Fault(
                    name: "no proxy",
                    plant: "",
                    problem: "no proxy runs on DIR/small/captures.db",
                    mend: "inspect start --store DIR/small/captures.db --ca-directory DIR/ca"
                ),
                Fault(
                    name: "key open to others",
                    plant: "chmod 644 $DIR/ca/root-key.pem",
                    problem: "DIR/ca/root-key.pem is open to other users of this machine (mode 644)",
                    mend: "chmod 600 DIR/ca/root-key.pem",
                    undo: "chmod 600 $DIR/ca/root-key.pem"
                ),
            ]
        ),
        PlantedFaults(
            store: "$DIR/bad/captures.db",
            authority: "$DIR/ca",
            faults: [
                Fault(
                    name: "port taken",
                    plant: """
                        "$PYTHON" -uc 'import signal, socket; s = socket.create_server(("127.0.0.1", 9090)); print("taken"); signal.pause()' > $DIR/taker & taker=$!
                        said taken $DIR/taker $taker
                        """,
                    problem: "another program has port 9090",
                    mend: "inspect start --port 0 --web-port 0",
                    // That no proxy runs is the other.
                    count: 2,
                    undo: "kill $taker"
                ),
                Fault(
                    name: "store damaged",
                    plant: """
                        mkdir -m 700 $DIR/bad; cp -p $DIR/captures.db $DIR/bad
                        yes damage | dd of=$DIR/bad/captures.db bs=4096 seek=2 count=40 conv=notrunc iflag=fullblock status=none
                        """,
                    problem: "the store DIR/bad/captures.db ",
                    mend: "mv DIR/bad/captures.db* DIR/bad/damaged/"
                ),
            ]
        ),
        PlantedFaults(
            store: "$DIR/captures.db",
            authority: "$DIR/future",
            faults: [
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
                    name: "root not valid yet",
                    plant: "",
                    problem: "and this machine's clock says ",
                    mend: "sudo timedatectl set-ntp true"
                ),
            ],
            hasRootVariables: false
        ),
        PlantedFaults(
            store: "$DIR/captures.db",
            authority: "$DIR/nothing",
            faults: [
                Fault(
                    name: "proxy hangs",
                    plant: "kill -STOP $proxy",
                    problem: "does not answer at http://127.0.0.1:",
                    mend: "kill -9 ",
                    undo: "kill -CONT $proxy"
                ),
                Fault(
                    name: "no root",
                    plant: "",
                    problem: "there is no root certificate in DIR/nothing",
                    mend: "inspect ca --ca-directory DIR/nothing"
                ),
            ]
        ),
        PlantedFaults(
            store: "$DIR/second.db",
            authority: "$DIR/mixed",
            faults: [
                Fault(
                    name: "proxy leads elsewhere",
                    plant: """
                        places="--store $DIR/second.db --ca-directory $DIR/ca"
                        "$INSPECT" start --port 0 --web-port 0 --upstream-proxy http://127.0.0.1:1 $places > $DIR/second & second=$!
                        said ^page $DIR/second $second
                        unset http_proxy https_proxy HTTP_PROXY HTTPS_PROXY
                        """,
                    problem: "on this machine fails: There is no way to the upstream proxy http://127.0.0.1:1: ",
                    mend: "without the option that leads elsewhere",
                    undo: """
                        "$INSPECT" ls --jsonl --store $DIR/second.db > $DIR/second-rows
                        kill $second; wait $second
                        """
                ),
                Fault(
                    name: "key of another root",
                    plant:
                        "mkdir -m 700 $DIR/mixed; cp -p $DIR/ca/root.pem $DIR/other/root-key.pem $DIR/mixed",
                    problem: "DIR/mixed/root.pem does not belong to the key in DIR/mixed/root-key.pem",
                    mend: "mv DIR/mixed DIR/mixed.broken"
                ),
            ]
        ),
        PlantedFaults(
            store: "$DIR/captures.db",
            authority: "$DIR/other",
            faults: [
                Fault(
                    name: "proxy of another root",
                    plant: "",
                    problem: "signs with another root than that in DIR/other",
                    mend: "inspect start --store DIR/captures.db --ca-directory DIR/other"
                )
            ],
            hasOthers: true
        ),
        PlantedFaults(
            store: "$DIR/captures.db",
            authority: "$DIR/expired",
            faults: [
                Fault(
                    name: "root expired",
                    plant: "",
                    problem: "the root certificate expired on ",
                    mend: "mv DIR/expired DIR/expired.expired"
                ),
                Fault(
                    name: "paused",
                    plant: "\"$INSPECT\" pause --store $DIR/captures.db > $DIR/paused",
                    problem: "recording is paused",
                    mend: "inspect pause --remove --store DIR/captures.db",
                    undo: "\"$INSPECT\" pause --remove --store $DIR/captures.db > $DIR/resumed"
                ),
            ],
            hasRootVariables: false
        ),
        PlantedFaults(
            store: "$DIR/captures.db",
            authority: "$DIR/ca",
            faults: [
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
                    name: "java",
                    plant: "cp $DIR/java-before /etc/ssl/certs/java/cacerts",
                    problem: "the root is not trusted by Java (/etc/ssl/certs/java/cacerts)",
                    mend: "inspect ca install --java",
                    undo: "cp $DIR/java-after /etc/ssl/certs/java/cacerts"
                ),
                Fault(
                    name: "roots missing",
                    plant: "export GIT_SSL_CAINFO=$DIR/no-such.pem",
                    problem: "GIT_SSL_CAINFO names DIR/no-such.pem, which cannot be read",
                    mend: "eval \"$(inspect env"
                ),
                Fault(
                    name: "variables fight",
                    plant: "export HTTP_PROXY=http://127.0.0.1:1",
                    problem: "http_proxy is “http://127.0.0.1:",
                    mend: "eval \"$(inspect env",
                    count: 2
                ),
                Fault(
                    name: "past the proxy",
                    plant: "export no_proxy=localhost,.test NO_PROXY=localhost,.test",
                    problem: "no_proxy keeps “localhost,.test” from the proxy",
                    mend: "eval \"$(inspect env"
                ),
            ]
        ),
        PlantedFaults(
            store: "$DIR/captures.db",
            authority: "$DIR/ca",
            faults: [
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
                // Debian's Node asks the system's roots unless it is told to ask those that every other Node has in itself.
                Fault(
                    name: "Node",
                    plant: "unset NODE_EXTRA_CA_CERTS; export NODE_OPTIONS=--use-bundled-ca",
                    problem: "Node of this shell does not trust the root: ",
                    mend: "export NODE_EXTRA_CA_CERTS=DIR/ca/root.pem"
                ),
                Fault(
                    name: "roots without ours",
                    plant: "export GIT_SSL_CAINFO=$DIR/roots-before",
                    problem: "GIT_SSL_CAINFO names DIR/roots-before, which lacks the root",
                    mend: "eval \"$(inspect env"
                ),
                Fault(
                    name: "proxy elsewhere",
                    plant: "export https_proxy=http://127.0.0.1:1 HTTPS_PROXY=http://127.0.0.1:1",
                    problem: "HTTPS_PROXY is “http://127.0.0.1:1”, and the proxy is at http://127.0.0.1:",
                    mend: "eval \"$(inspect env",
                    count: 2
                ),
            ]
        ),
    ]
}
