import Foundation
import Support
import Testing

/// Programs started by `inspect` in a network of the test's own, from a clean home, against an origin under names that are not loopback's.
///
/// Needs no more rights than to make a user namespace: the origin's names and address exist only in it.
final class ClientScenario: Sendable {
    /// One program: a word, and the shell command that asks for `/WORD` and exits with 0 when it got it.
    ///
    /// The command finds in its variables: `RUN` and `BROWSER`, which begin a command of `inspect`, `INSPECT` and `PLACES`, `PYTHON`, and `DIR`.
    struct Program: Sendable {
        let name: String
        let command: String
    }

    private static let script = #"""
        set -u
        dir=$1; cert=$2; key=$3; list=$4; names=$5; patience=$6
        ip link set lo up
        ip addr add 10.88.0.1/32 dev lo
        printf '127.0.0.1 localhost\n10.88.0.1 %s\n' "$names" > "$dir/hosts"
        mount --bind "$dir/hosts" /etc/hosts
        export HOME=$dir/home
        export TMPDIR=$dir/t
        mkdir "$HOME" "$TMPDIR"
        unset XDG_DATA_HOME XDG_CONFIG_HOME XDG_CACHE_HOME
        "$PYTHON" - "$cert" "$key" > "$dir/origin" <<'PY' &
        import http.server, ssl, sys, threading
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            def do_GET(self):
                self.send_response(200); self.send_header("Content-Type", "text/plain"); self.send_header("Content-Length", "5"); self.end_headers()
                self.wfile.write(b"hello")
            def log_message(self, *_): pass
        for address in (("10.88.0.1", 80), ("127.0.0.1", 8000)):
            threading.Thread(target=http.server.ThreadingHTTPServer(address, Handler).serve_forever, daemon=True).start()
        secure = http.server.ThreadingHTTPServer(("10.88.0.1", 443), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER); context.load_cert_chain(sys.argv[1], sys.argv[2])
        secure.socket = context.wrap_socket(secure.socket, server_side=True)
        print("ready", flush=True)
        secure.serve_forever()
        PY
        origin=$!
        grep -q '^ready' <(tail -s .05 --pid=$origin -n +1 -F "$dir/origin" 2> /dev/null)
        export DIR=$dir RUN="$INSPECT run $PLACES --" BROWSER="$INSPECT browser $PLACES"
        while IFS='|' read -r name command; do
            export NAME=$name
            timeout $patience bash -c "$command" > "$dir/out-$name" 2> "$dir/err-$name" < /dev/null
            echo "$name exits $?"
        done < "$list"
        kill $origin
        """#

    /// Where the store, the root and what the programs said are.
    let directory: TemporaryDirectory
    private let said: String

    /// Runs the programs one after the other.
    ///
    /// - Parameters:
    ///   - programs: what to run.
    ///   - hosts: the origin's names.
    ///   - directory: where to find what the commands name; the store is made in it.
    /// - Throws: when a tool of the scenario is missing.
    init(_ programs: [Program], hosts: [String], in directory: TemporaryDirectory) async throws {
        self.directory = directory
        let authority = try await TestAuthority()
        let tls = try await authority.issue(for: hosts)
        let list = try directory.write(programs.map { "\($0.name)|\($0.command)\n" }.joined(), to: "programs")
        let script = try directory.write(Self.script, to: "scenario.sh")
        let places = RunningInspect.places(directory) + ["--upstream-ca", authority.rootFile]
        let ran = try await CommandLineTool.run(
            "unshare",
            ["--user", "--map-root-user", "--mount", "--net", "bash", script]
                + [
                    directory.path, tls.certificateFile, tls.keyFile, list, hosts.joined(separator: " "),
                    "\(Patience.seconds(100))",
                ],
            environment: [
                "INSPECT": try Executable.inspect(), "PLACES": places.joined(separator: " "),
                "PYTHON": try RealClientsTests.python(), "NO_COLOR": "1",
            ],
            within: .seconds(280)
        )
        said = ran.output + ran.errors
    }

    /// Whether a program exited with a status.
    func exits(_ name: String, with status: Int32) -> Bool { said.contains("\(name) exits \(status)\n") }

    /// What there is to read where a program did not do as it should.
    func story(_ name: String) -> String {
        let told = ["out-", "err-"].map {
            (try? directory.read($0 + name)).map { String(decoding: $0.suffix(3_000), as: UTF8.self) } ?? ""
        }
        return ([said] + told).joined(separator: "\n")
    }

    /// Every exchange that was recorded.
    func rows() async throws -> [StoredListing.Row] {
        try await StoredListing.read(in: directory, ["--limit", "1000"]).exchanges
    }
}
