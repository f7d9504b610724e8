import Foundation
import Support
import Testing

/// GNOME's own settings, kept by dconf in a session and a home of the test's own, changed by the whole program.
@Suite(.timeLimit(.minutes(15))) struct SystemProxyTests {
    private static let scenario = #"""
        set -eu
        inspect=$1; dir=$2
        now() { gsettings list-recursively org.gnome.system.proxy | sort; find "$dir/.config" -name '*inspect*'; }
        get() { gsettings get "org.gnome.system.proxy$1" "$2"; }
        begin() {
            : > "$dir/out"
            "$inspect" start --port 0 --web-port 0 --store "$dir/captures.db" --ca-directory "$dir/ca" "$@" > "$dir/out" 2>&1 &
            pid=$!
            said '^Then:' || { cat "$dir/out"; exit 1; }
        }
        # Waits for a line in what the proxy says, or for its end.
        said() { grep -q "$1" <(tail -s .05 --pid=$pid -n +1 -F "$dir/out" 2> /dev/null); }
        port() { sed -n 's/^proxy .*:\([0-9]*\)$/\1/p' "$dir/out"; }
        same() { now > "$dir/now"; cmp -s "$dir/before" "$dir/now" && echo "$1: as before" || { echo "$1: DIFFERS"; diff "$dir/before" "$dir/now" || true; }; }
        gsettings set org.gnome.system.proxy.http host old.test
        gsettings set org.gnome.system.proxy.http port 3128
        now > "$dir/before"

        begin --system-proxy
        [ "$(get '' mode) $(get .http host) $(get .http port) $(get .https port)" = "'manual' '127.0.0.1' $(port) $(port)" ] && echo "set"
        grep -q "^https_proxy=http://127.0.0.1:$(port)$" "$XDG_CONFIG_HOME/environment.d/90-inspect-proxy.conf" && echo "environment"
        stat -c %a "$dir/data/inspect/system-proxy.json"
        kill -INT $pid; wait $pid; same "after a stop"

        begin --system-proxy
        kill -KILL $pid; wait $pid || true
        echo "killed: $(get '' mode)"
        "$inspect" system-proxy status | head -1 | sed 's/127.0.0.1:[0-9]*/PROXY/; s/process [0-9]*/process N/'
        begin
        said 'without a word'
        grep -o 'process [0-9]* ended .*' "$dir/out" | sed 's/process [0-9]*/process N/; s/127.0.0.1:[0-9]*/PROXY/'
        same "after the next start"

        "$inspect" system-proxy on --store "$dir/captures.db" > /dev/null; echo "on: $(get '' mode)"
        "$inspect" system-proxy on --store "$dir/captures.db" > /dev/null; echo "again: $(get .http host)"
        "$inspect" system-proxy off > /dev/null; same "after off"
        "$inspect" system-proxy on --pac --only gnome --store "$dir/captures.db" > /dev/null
        [ "$(get '' mode) $(get '' autoconfig-url)" = "'auto' 'http://127.0.0.1:$(port)/proxy.pac'" ] && echo "script"
        gsettings set org.gnome.system.proxy autoconfig-url 'http://mine.test/'
        kill -TERM $pid; wait $pid
        echo "mine: $(get '' mode) $(get '' autoconfig-url)"
        gsettings reset org.gnome.system.proxy autoconfig-url; same "after the proxy's end"

        begin --system-proxy --pac-exclude bank.test
        echo "by itself: $(get '' mode)"
        kill -INT $pid; wait $pid; same "after all"
        "$inspect" system-proxy on --store "$dir/captures.db" 2>&1 || echo "status $?"
        "$inspect" system-proxy on --dry-run --only gnome
        "$inspect" system-proxy on --dry-run --only macos
        "$inspect" system-proxy
        """#

    @Test("Set for a run and put back at its end, by the command, and after a SIGKILL by the next start")
    func gnome() async throws {
        let directory = try TemporaryDirectory()
        // Before the session begins: what keeps the settings is started by it, and has to have this home too.
        var environment: [String: String?] = [
            "HOME": directory.path,
            "XDG_DATA_HOME": directory.file("data"),
        ]
        for (variable, folder) in [
            ("XDG_CONFIG_HOME", ".config"), ("XDG_CACHE_HOME", "cache"), ("XDG_RUNTIME_DIR", "run"),
        ] {
            try FileManager.default.createDirectory(
                atPath: directory.file(folder),
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            environment[variable] = directory.file(folder)
        }
        let result = try await CommandLineTool.run(
            "dbus-run-session",
            ["--", "bash", "-c", Self.scenario, "bash", try Executable.inspect(), directory.path],
            environment: environment,
            within: .seconds(120)
        )
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        #expect(
            result.output.split(separator: "\n").map(String.init) == [
                "set", "environment", "600", "after a stop: as before", "killed: 'manual'",
                "left behind: PROXY of process N, which is gone; 'inspect system-proxy off', or the next start, puts it back",
                "process N ended without a word: the system's proxy settings are as they were before PROXY",
                "after the next start: as before", "on: 'manual'", "again: '127.0.0.1'", "after off: as before",
                "script",
                "mine: 'none' 'http://mine.test/'", "after the proxy's end: as before", "by itself: 'auto'",
                "after all: as before",
                "inspect: no proxy is running on \(directory.file("captures.db")); start one with 'inspect start --system-proxy', or without and then this",
                "status 2", "gsettings set org.gnome.system.proxy.http host ''\\''127.0.0.1'\\'''",
                "gsettings set org.gnome.system.proxy.http port 9090",
                "gsettings set org.gnome.system.proxy.https host ''\\''127.0.0.1'\\'''",
                "gsettings set org.gnome.system.proxy.https port 9090",
                "gsettings set org.gnome.system.proxy mode ''\\''manual'\\'''",
                "networksetup -setwebproxy Wi-Fi 127.0.0.1 9090",
                "networksetup -setsecurewebproxy Wi-Fi 127.0.0.1 9090",
                "off: inspect has set nothing",
            ],
            "\(result.output)\(result.errors)"
        )
    }
}
