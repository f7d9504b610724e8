import Foundation
import Support
import Testing

/// Connections that a firewall redirects, in network namespaces of their own: a client's, and a router's where the proxy runs.
@Suite(.timeLimit(.minutes(15))) struct TransparentTests {
    /// Needs no more rights than to make a user namespace; everything in it is gone with its first process.
    ///
    /// The client is 10.77.0.2 and fd77::2, the router 10.77.0.1 and fd77::1, the upstreams 10.88.0.1 and fd88::1 behind it.
    private static let scenario = #"""
        set -eu
        inspect=$1; dir=$2; root=$3; cert=$4; key=$5; python=$6; patience=$8
        mount -t tmpfs none /run
        mkdir -p /run/netns
        ip link set lo up
        ip netns add client
        ip link add r0 type veth peer name c0 netns client
        ip addr add 10.77.0.1/24 dev r0
        ip addr add fd77::1/64 dev r0 nodad
        ip link set r0 up
        ip addr add 10.88.0.1/32 dev lo
        ip addr add fd88::1/128 dev lo nodad
        c() { ip netns exec client "$@"; }
        c ip link set lo up
        c ip addr add 10.77.0.2/24 dev c0
        c ip addr add fd77::2/64 dev c0 nodad
        c ip link set c0 up
        c ip route add default via 10.77.0.1
        c ip -6 route add default via fd77::1
        for t in iptables ip6tables; do
            $t -t nat -A PREROUTING -i r0 -p tcp --dport 80 -j REDIRECT --to-ports 8080
            $t -t nat -A PREROUTING -i r0 -p tcp --dport 443 -j REDIRECT --to-ports 8080
            $t -t nat -A PREROUTING -i r0 -p tcp --dport 7 -j REDIRECT --to-ports 8080
            # The ports of the explicit listener and of the page, for clients elsewhere and for those of the router.
            for port in 9090 9191; do
                $t -t nat -A PREROUTING -i r0 -p tcp --dport $port -j REDIRECT --to-ports 8080
                $t -t nat -A OUTPUT -p tcp --dport $port -j REDIRECT --to-ports 8080
            done
        done
        "$python" - "$cert" "$key" > "$dir/origin.txt" <<'PY' &
        import http.server, socket, ssl, sys, threading
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            def do_GET(self):
                body = f"{self.path} {self.headers['Host']} {self.request.getsockname()[0]}".encode()
                self.send_response(200); self.send_header("Content-Length", str(len(body))); self.end_headers()
                self.wfile.write(body)
            def log_message(self, *_): pass
        class Server(http.server.ThreadingHTTPServer): pass
        class Server6(Server): address_family = socket.AF_INET6
        for kind, address in ((Server, "10.88.0.1"), (Server6, "fd88::1")):
            for port in (80, 443):
                server = kind((address, port), Handler)
                if port == 443:
                    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER); context.load_cert_chain(sys.argv[1], sys.argv[2])
                    server.socket = context.wrap_socket(server.socket, server_side=True)
                threading.Thread(target=server.serve_forever, daemon=True).start()
        echo = socket.create_server(("10.88.0.1", 7))
        print("ready", flush=True)
        while True:
            peer, _ = echo.accept(); peer.sendall(b"echo\n"); peer.close()
        PY
        origin=$!
        "$inspect" start --listen-mode 'transparent@[::]:8080' \
            --listen-mode 'explicit@[::]:9090' --web-port 9191 --store "$dir/captures.db" --ca-directory "$dir/ca" \
            --allow-local --upstream-ca "$root" --allow-client 10.77.0.0/24 --allow-client 10.88.0.1 --allow-client fd77::/64 --allow-client fd88::1 > "$dir/start.txt" 2>&1 &
        proxy=$!
        # Waits for a line in what a process says, or for its end.
        said() { grep -q "$2" <(tail -s .05 --pid=$1 -n +1 -F "$3" 2> /dev/null); }
        said $proxy '^page' "$dir/start.txt" || { cat "$dir/start.txt"; exit 1; }
        said $origin '^ready' "$dir/origin.txt"
        get() { c curl -sS --max-time $patience --noproxy '*' --cacert "$dir/ca/root.pem" --resolve 'origin.test:443:10.88.0.1,[fd88::1]' --resolve 'origin.test:80:10.88.0.1,[fd88::1]' "$@"; echo; }
        get -4 http://origin.test/plain
        get -4 https://origin.test/secure
        get -6 http://origin.test/plain6
        get -6 https://origin.test/secure6
        c curl -s --max-time $patience telnet://10.88.0.1:7 < /dev/null || true
        c curl -sS --max-time $patience -o /dev/null -w 'own %{http_code}\n' http://10.77.0.1:8080/
        c curl -gsS --max-time $patience -o /dev/null -w 'own %{http_code}\n' 'http://[fd77::1]:8080/'
        # own WHERE URL: what becomes of a request that is meant for a listener of ours. The explicit one's own answer is another than the proxy's.
        own() {
            rm -f "$dir/own"
            where=$1
            code=$($where curl -gksS --max-time $patience --noproxy '*' -o "$dir/own" -w '%{http_code}' "$2" 2>/dev/null) || true
            grep -qs 'does not connect to its own listeners' "$dir/own" && code="$code kept out"
            echo "alias $2 $code"
        }
        for port in 8080 9090 9191; do
            for host in $7; do own '' "http://$host:$port/"; done
            for host in 10.77.0.1 '[fd88::1]'; do
                own '' "http://$host:$port/"
                own c "http://$host:$port/"
                own c "https://$host:$port/"
            done
        done
        # Names say nothing of where a connection goes that has an address.
        for host in $7; do
            get -4 -H "Host: $host:9090" http://origin.test/named > "$dir/own"
            grep -q ' 10.88.0.1$' "$dir/own" || echo "name $host $(cat "$dir/own")"
        done
        get -4 --connect-to '::10.88.0.1:443' https://localhost/named > "$dir/own"
        grep -q ' 10.88.0.1$' "$dir/own" || echo "name localhost in TLS $(cat "$dir/own")"
        kill -INT $proxy
        wait $proxy || true
        """#

    /// Some names and addresses of the machine that the proxy runs on; the proxy's own table of them has its own test.
    private static let aliases = ["localhost", "127.1.2.3", "0.0.0.0", "[::1]", "[::ffff:127.0.0.1]"]

    @Test(
        "Plain HTTP and TLS of both IP versions are recorded by name, at the address that was meant; our own port is refused"
    )
    func redirected() async throws {
        let authority = try await TestAuthority()
        let tls = try await authority.issue(for: ["origin.test", "localhost"])
        let directory = try TemporaryDirectory()
        let result = try await CommandLineTool.run(
            "unshare",
            [
                "--map-root-user", "--net", "--mount", "--pid", "--fork", "--mount-proc", "--kill-child", "bash", "-c",
                Self.scenario, "bash", try Executable.inspect(), directory.path, authority.rootFile,
                tls.certificateFile, tls.keyFile, try RealClientsTests.python(), Self.aliases.joined(separator: " "),
                "\(Patience.seconds(15))",
            ],
            environment: ["HOME": directory.path],
            within: .seconds(120)
        )
        #expect(result.status == 0, "Without network namespaces this cannot be tested: \(result.errors)")
        let lines = result.output.split(separator: "\n").map(String.init)
        let tries = lines.filter { $0.hasPrefix("alias ") }
        #expect(
            lines.filter { !$0.hasPrefix("alias ") } == [
                "/plain origin.test 10.88.0.1", "/secure origin.test 10.88.0.1", "/plain6 origin.test fd88::1",
                "/secure6 origin.test fd88::1", "echo", "own 508", "own 508",
            ],
            "\(result.output)\(result.errors)"
        )
        let count = 3 * (Self.aliases.count + 6)
        #expect(tries.count == count && tries.allSatisfy { $0.hasSuffix(" 508 kept out") }, "\(tries)")
        let arguments = ["--limit", "1000"]
        let rows = try await StoredListing.read(in: directory, arguments).exchanges.sorted { $0.id < $1.id }
        let redirected = rows.prefix(4)
        #expect(redirected.map(\.target) == ["/plain", "/secure", "/plain6", "/secure6"], "\(rows)")
        #expect(redirected.map(\.scheme) == ["http", "https", "http", "https"])
        #expect(redirected.map(\.port) == [80, 443, 80, 443])
        #expect(redirected.allSatisfy { $0.host == "origin.test" && $0.outcome == "completed" && $0.code == 200 })
        #expect(rows.filter { $0.outcome == "tunnelled" }.map { "\($0.host):\($0.port)" } == ["10.88.0.1:7"])
        #expect(rows.filter { $0.failure?.cause == "loop" }.count == 2 + count)
        let named = rows.filter { $0.target == "/named" }
        #expect(
            named.count == Self.aliases.count + 1 && named.allSatisfy { $0.outcome == "completed" && $0.code == 200 }
        )
        #expect(rows.count == 7 + count + named.count)
    }
}
