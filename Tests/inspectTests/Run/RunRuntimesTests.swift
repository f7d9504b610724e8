import Foundation
import Support
import Testing

/// `inspect run` with the programs that people have, from a clean home, against an origin under a name that is not loopback's.
@Suite("Programs started by inspect run", .timeLimit(.minutes(5)))
struct RunRuntimesTests {
    /// Needs no more rights than to make a user namespace: the origin's name and address exist only in it.
    private static let scenario = #"""
        set -u
        inspect=$1; dir=$2; root=$3; cert=$4; key=$5; python=$6; list=$7
        ip link set lo up
        ip addr add 10.88.0.1/32 dev lo
        printf '127.0.0.1 localhost\n10.88.0.1 origin.example.test\n' > "$dir/hosts"
        mount --bind "$dir/hosts" /etc/hosts
        export HOME=$dir/home XDG_DATA_HOME=$dir/home/data
        mkdir "$HOME"
        "$python" - "$cert" "$key" "$dir/ready" <<'PY' &
        import http.server, ssl, sys, threading
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            def do_GET(self):
                self.send_response(200); self.send_header("Content-Length", "5"); self.end_headers(); self.wfile.write(b"hello")
            def log_message(self, *_): pass
        plain = http.server.ThreadingHTTPServer(("10.88.0.1", 80), Handler)
        threading.Thread(target=plain.serve_forever, daemon=True).start()
        secure = http.server.ThreadingHTTPServer(("10.88.0.1", 443), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER); context.load_cert_chain(sys.argv[1], sys.argv[2])
        secure.socket = context.wrap_socket(secure.socket, server_side=True)
        open(sys.argv[3], "w").close()
        secure.serve_forever()
        PY
        origin=$!
        for i in $(seq 200); do [ -e "$dir/ready" ] && break; "$python" -c 'import time; time.sleep(.05)'; done
        export PYTHON=$python DIR=$dir
        while IFS='|' read -r name command; do
            NAME=$name "$inspect" run --store "$dir/captures.db" --ca-directory "$dir/ca" --upstream-ca "$root" -- sh -c "$command" \
                > "$dir/out-$name" 2> "$dir/err-$name" < /dev/null
            echo "$name exits $?"
        done < "$list"
        kill $origin
        """#

    /// What each runtime runs: it asks for /NAME by HTTPS, verifying as it does by default, and exits with 0 when it got it.
    private static let programs: [(name: String, command: String)] = [
        ("curl", "curl -sSf https://origin.example.test/curl"),
        ("wget", "wget -q -O - https://origin.example.test/wget"),
        // It is no repository, which git says after it has asked.
        ("git", "git ls-remote https://origin.example.test/git 2>&1 | grep -q 'not valid'"),
        (
            "requests",
            "$PYTHON -c 'import requests; requests.get(\"https://origin.example.test/requests\").raise_for_status()'"
        ),
        ("httpx", "$PYTHON -c 'import httpx; httpx.get(\"https://origin.example.test/httpx\").raise_for_status()'"),
        (
            "urllib",
            "$PYTHON -c 'import urllib.request; urllib.request.urlopen(\"https://origin.example.test/urllib\").read()'"
        ),
        (
            "node-https",
            "node -e 'require(\"https\").get(\"https://origin.example.test/node-https\", (answer) => answer.resume())'"
        ),
        ("node-fetch", "node -e 'fetch(\"https://origin.example.test/node-fetch\").then((answer) => answer.text())'"),
        ("java", "java $DIR/Get.java https://origin.example.test/java"),
        ("go", "$DIR/get https://origin.example.test/go"),
    ]

    @Test(
        "curl, wget, git, Python, Node, Java and Go are captured and decrypted, each verifying the certificate it is shown"
    )
    func runtimes() async throws {
        let directory = try TemporaryDirectory()
        let authority = try await TestAuthority()
        let tls = try await authority.issue(for: ["origin.example.test"])
        let python = try RealClientsTests.python()
        try directory.write(
            """
            import java.net.URI;
            import java.net.http.*;

            public class Get {
                public static void main(String[] all) throws Exception {
                    var request = HttpRequest.newBuilder(URI.create(all[0])).build();
                    System.exit(HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).statusCode() == 200 ? 0 : 1);
                }
            }
            """,
            to: "Get.java"
        )
        let source = try directory.write(
            """
            package main

            import (
                "io"
                "net/http"
                "os"
            )

            func main() {
                answer, fault := http.Get(os.Args[1])
                if fault != nil {
                    println(fault.Error())
                    os.Exit(1)
                }
                io.Copy(io.Discard, answer.Body)
                answer.Body.Close()
            }
            """,
            to: "get.go"
        )
        let built = try await CommandLineTool.run(
            "go",
            ["build", "-o", directory.file("get"), source],
            environment: ["GOCACHE": directory.file("go"), "HOME": directory.path],
            within: .seconds(120)
        )
        #expect(built.status == 0, "\(built.errors)")
        let list = try directory.write(
            Self.programs.map { "\($0.name)|\($0.command)\n" }.joined(),
            to: "programs"
        )
        let script = try directory.write(Self.scenario, to: "scenario.sh")
        let ran = try await CommandLineTool.run(
            "unshare",
            ["--user", "--map-root-user", "--mount", "--net", "bash", script]
                + [
                    try Executable.inspect(), directory.path, authority.rootFile, tls.certificateFile, tls.keyFile,
                    python, list,
                ],
            environment: ["SWIFT_BACKTRACE": "enable=no", "NO_COLOR": "1", "INSPECT_STORE": nil],
            within: .seconds(240)
        )
        let listing = try await StoredListing.read(in: directory, ["--limit", "100"])
        for (name, _) in Self.programs {
            let said =
                "\(ran.output)\(ran.errors)\((try? directory.read("err-\(name)")).map { String(decoding: $0, as: UTF8.self) } ?? "")"
            #expect(ran.output.contains("\(name) exits 0\n"), "\(said)")
            let rows = listing.exchanges.filter { $0.target.hasPrefix("/\(name)") }
            #expect(!rows.isEmpty, "\(name) was not recorded: \(said)")
            for row in rows {
                #expect(row.scheme == "https" && row.host == "origin.example.test" && row.code == 200, "\(row)")
            }
        }
    }
}
