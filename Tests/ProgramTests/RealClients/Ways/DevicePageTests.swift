import Foundation
import Support
import Testing

/// A device in a network of its own is set up by the page that the proxy gives it: with curl, and with Chromium by the proxy's script.
@Suite(.timeLimit(.minutes(15))) struct DevicePageTests {
    /// Needs no more rights than to make a user namespace; everything in it is gone with its first process.
    ///
    /// The device is 10.77.0.2 and, as a stranger, 10.99.0.2; the machine with the proxy is 10.77.0.1 and 10.99.0.1, and has a server on port 80.
    private static let scenario = #"""
        set -eu
        inspect=$1; dir=$2; python=$3; patience=$4
        mount -t tmpfs none /run
        mkdir -p /run/netns
        ip link set lo up
        ip netns add device
        ip link add r0 type veth peer name c0 netns device
        ip addr add 10.77.0.1/24 dev r0
        ip addr add 10.99.0.1/24 dev r0
        ip link set r0 up
        d() { ip netns exec device "$@"; }
        d ip link set lo up
        d ip addr add 10.77.0.2/24 dev c0
        d ip addr add 10.99.0.2/24 dev c0
        d ip link set c0 up
        # Waits for a line in what a process says, or for its end.
        said() { grep -q "$2" <(tail -s .05 --pid=$1 -n +1 -F "$3" 2> /dev/null); }
        "$python" - > "$dir/server.txt" <<'PY' &
        import http.server
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = b"<p>" + self.path.encode() + b"</p>"
                self.send_response(200); self.send_header("Content-Type", "text/html"); self.send_header("Content-Length", str(len(body)))
                self.end_headers(); self.wfile.write(body)
            def log_message(self, *_): pass
        server = http.server.ThreadingHTTPServer(("10.77.0.1", 80), Handler)
        print("ready", flush=True)
        server.serve_forever()
        PY
        said $! '^ready' "$dir/server.txt"
        "$inspect" start --listen 0.0.0.0 --port 9090 --web-port 9191 --allow-client 10.77.0.0/24 --allow-local --store "$dir/captures.db" \
            --ca-directory "$dir/ca" --resolve via.test:80:10.77.0.1 --pac-exclude 'direct.test' > "$dir/start.txt" 2>&1 &
        proxy=$!
        said $proxy '^Then:' "$dir/start.txt" || { cat "$dir/start.txt"; exit 1; }
        grep -o 'open http://10[^ ]* on it' "$dir/start.txt"
        grep '^listening' "$dir/start.txt" | sed 's/0.0.0.0:9090/ALL/'
        cd "$dir"
        get() { d curl -sS --max-time $patience --noproxy '' "$@"; }
        code() { get -o out -w '%{http_code}\n' "$@"; }
        get http://10.77.0.1:9090/ | grep -c 'Set up this device'
        get -O http://10.77.0.1:9090/ca.pem
        cmp ca.pem "$dir/ca/root.pem" && echo "the root"
        get -x http://10.77.0.1:9090 --cacert ca.pem https://inspect.proxy/check
        picture=$(get http://10.77.0.1:9090/ | grep -o 'https://inspect.proxy/check-[^"]*')
        get -x http://10.77.0.1:9090 --cacert ca.pem --http2 -o out -w '%{http_code} %{http_version} %{content_type}\n' "$picture"
        echo "guessed $(code -x http://10.77.0.1:9090 --cacert ca.pem https://inspect.proxy/check.svg)"
        get -x http://10.77.0.1:9090 -o out https://inspect.proxy/check 2> err || echo "untrusted $?"
        get -x http://10.77.0.1:9090 http://inspect.proxy/check
        get http://10.77.0.1:9090/check
        get -x http://10.77.0.1:9090 http://via.test/recorded; echo
        # Everything else that is ourselves, and strangers.
        for url in http://10.77.0.1:9090/api/v1/exchanges http://10.77.0.1:9090/check.svg; do echo "own $(code $url)"; done
        for url in http://10.77.0.1:9090/ http://127.0.0.1:9191/ http://localhost:9191/api/v1/exchanges http://inspect.proxy:9191/ http://10.99.0.1:9191/; do
            echo "through $(code -x http://10.77.0.1:9090 $url)"
        done
        echo "rebound $(code -H 'Host: evil.test' http://10.77.0.1:9090/)"
        echo "stranger $(code --interface 10.99.0.2 http://10.99.0.1:9090/) $(code --interface 10.99.0.2 -x http://10.99.0.1:9090 http://via.test/)"
        # Another instance, which lets nobody to this machine: not to its servers, not to the first one's page, not to its link.
        "$inspect" start --listen 0.0.0.0 --port 9095 --web-port 0 --allow-client 10.77.0.0/24 --store "$dir/strict.db" \
            --ca-directory "$dir/ca" --resolve via.test:80:10.77.0.1 > "$dir/strict.txt" 2>&1 &
        strict=$!
        said $strict '^Then:' "$dir/strict.txt" || { cat "$dir/strict.txt"; exit 1; }
        for url in http://via.test/ http://127.0.0.1:9191/ http://localhost:9191/ http://169.254.169.254/; do
            echo "strict $(code -x http://10.77.0.1:9095 $url)"
        done
        kill -INT $strict
        wait $strict || true
        # Chromium, set by the script, before and after it trusts the root.
        export HOME=$dir/home XDG_CONFIG_HOME=$dir/home/.config XDG_CACHE_HOME=$dir/home/.cache
        mkdir -p "$HOME/.pki/nssdb"
        certutil -N --empty-password -d "sql:$HOME/.pki/nssdb"
        browse() {
            d timeout $((patience * 7)) chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --disable-sync \
                --disable-background-networking --disable-component-update --disable-default-apps --user-data-dir="$HOME/profile" \
                --proxy-pac-url=http://10.77.0.1:9090/proxy.pac --host-resolver-rules='MAP direct.test 10.77.0.1' \
                --virtual-time-budget=8000 "$@" 2> "$dir/chromium.txt"
        }
        browse --dump-dom http://inspect.proxy/ | grep -c 'Set up this device' || true
        certutil -A -n inspect -t C,, -i ca.pem -d "sql:$HOME/.pki/nssdb"
        browse --screenshot="$dir/page.png" --window-size=420,900 http://inspect.proxy/
        browse --dump-dom http://via.test/script | grep -o '<p>.*</p>' || true
        browse --dump-dom http://direct.test/past | grep -o '<p>.*</p>' || true
        kill -INT $proxy
        wait $proxy || true
        """#

    @Test(
        "The page, the certificate and the check from a second network namespace; nobody else, and nothing else of ours"
    )
    func device() async throws {
        let directory = try TemporaryDirectory()
        let result = try await CommandLineTool.run(
            "unshare",
            [
                "--map-root-user", "--net", "--mount", "--pid", "--fork", "--mount-proc", "--kill-child", "bash", "-c",
                Self.scenario, "bash", try Executable.inspect(), directory.path, try RealClientsTests.python(),
                "\(Patience.seconds(15))",
            ],
            environment: ["HOME": directory.path],
            within: .seconds(300)
        )
        #expect(result.status == 0, "Without network namespaces this cannot be tested: \(result.errors)")
        #expect(
            result.output.split(separator: "\n").map(String.init) == [
                "open http://10.77.0.1:9090/ on it",
                "listening on ALL: 10.77.0.0/24 can use the proxy and is recorded.",
                "1", "the root", "Decryption works: this client uses the proxy and trusts its root certificate.",
                "200 2 image/svg+xml", "guessed 508", "untrusted 60",
                "This client uses the proxy. Whether it trusts its root certificate, https://inspect.proxy/check says.",
                "This client reaches the proxy, but did not ask through it. https://inspect.proxy/check says whether all is set.",
                "<p>/recorded</p>", "own 508", "own 508", "through 508", "through 508", "through 508", "through 508",
                "through 508", "rebound 508", "stranger 403 403", "strict 403", "strict 403",
                "strict 403", "strict 403", "1", "<p>/script</p>", "<p>/past</p>",
            ],
            "\(result.output)\(result.errors)"
        )
        let rows = try await StoredListing.read(in: directory, ["--limit", "1000"]).exchanges.sorted { $0.id < $1.id }
        let checks = rows.filter { $0.target.hasPrefix("/check-") && $0.scheme == "https" }
        #expect(
            checks.count == 2 && checks.allSatisfy { $0.code == 200 },
            "curl's and, once it trusts, Chromium's: \(rows)"
        )
        #expect(rows.contains { $0.target == "/script" && $0.host == "via.test" && $0.code == 200 })
        #expect(!rows.contains { $0.target == "/past" }, "excluded by the script")
        #expect(rows.filter { $0.failure?.cause == "not-allowed" }.count == 2)
        let refused = rows.filter { $0.failure?.side == "client" && $0.failure?.phase == "tls" }
        #expect(!refused.isEmpty && refused.allSatisfy { $0.host == "inspect.proxy" })
        #expect(FileManager.default.fileExists(atPath: directory.file("page.png")))
    }
}
