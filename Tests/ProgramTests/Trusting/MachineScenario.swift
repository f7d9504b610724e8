import Foundation
import Support
import Testing

/// A script on a machine of the test's own: its roots, those of its JDK, its home with a Firefox profile, and its network are copies that are gone afterwards.
///
/// Needs no more rights than to make a user namespace. The script finds `DIR`, `INSPECT`, `PLACES`, `PYTHON`, the functions `stores`, which prints every byte and
/// mode of the copies, and `inspect`.
enum MachineScenario {
    private static let prelude = #"""
        set -u
        ip link set lo up
        for store in /etc/ssl/certs /usr/local/share/ca-certificates; do
            mkdir -p "$DIR$store"
            cp -dR --preserve=mode,links "$store/." "$DIR$store"
            mount --bind "$DIR$store" "$store"
        done
        export HOME=$DIR/home PATH=$(dirname "$PYTHON"):$PATH
        unset JAVA_TOOL_OPTIONS SSL_CERT_FILE CURL_CA_BUNDLE REQUESTS_CA_BUNDLE NODE_EXTRA_CA_CERTS GIT_SSL_CAINFO
        profile=$HOME/.mozilla/firefox/abc.default
        mkdir -p "$profile"
        certutil -N --empty-password -d "sql:$profile"
        stores() {
            find /etc/ssl/certs /usr/local/share/ca-certificates "$HOME" \( -type f -printf '%p %m ' -exec sha256sum {} \; \) -o -printf '%p %y %l\n' | sort
        }
        inspect() { "$INSPECT" "$@"; }

        """#

    /// Runs a script.
    ///
    /// - Parameters:
    ///   - script: bash.
    ///   - directory: what `DIR` is; the store and the root are in it.
    /// - Returns: how it ended.
    /// - Throws: when a tool of the scenario is missing, or it takes too long.
    static func run(_ script: String, in directory: TemporaryDirectory) async throws -> CommandLineTool.Result {
        try await CommandLineTool.run(
            "unshare",
            [
                "--map-root-user", "--mount", "--net", "--pid", "--fork", "--mount-proc", "--kill-child", "bash", "-c",
                prelude + script,
            ],
            environment: [
                "DIR": directory.path, "INSPECT": try Executable.inspect(), "PYTHON": try RealClientsTests.python(),
                "PLACES": RunningInspect.places(directory).joined(separator: " "),
            ],
            within: .seconds(280)
        )
    }
}
