import Proxy
import Traffic

/// Which hosts an automatically configured client sends through the proxy, as the script that it asks for: `FindProxyForURL` of Netscape's
/// proxy auto-configuration.
struct ProxyScript: Sendable {
    /// The hosts that go through the proxy; empty for all.
    var included: [HostPattern] = []
    /// The hosts that do not, whatever else is said.
    var excluded: [HostPattern] = []

    /// Whether every host goes through the proxy.
    var isEverything: Bool { included.isEmpty && excluded.isEmpty }

    /// The script for clients that reach the proxy there.
    ///
    /// There is no way round a proxy that does not answer: a client that quietly went directly would be missing in the record.
    func text(proxy: Endpoint) -> String {
        """
        // Which hosts go through the inspect proxy; 'inspect start' takes them by --pac-include and --pac-exclude.
        function FindProxyForURL(url, host) {
            var name = String(host).toLowerCase().replace(/\\.$/, "").replace(/^\\[|\\]$/g, "");
            function isOneOf(patterns) {
                for (var i = 0; i < patterns.length; i += 1) {
                    if (shExpMatch(name, patterns[i])) { return true; }
                }
                return false;
            }
            var included = \(list(included));
            var excluded = \(list(excluded));
            if (isOneOf(excluded)) { return "DIRECT"; }
            if (included.length > 0 && !isOneOf(included)) { return "DIRECT"; }
            return \(JSONWriter.quoted("PROXY \(proxy)"));
        }

        """
    }

    private func list(_ patterns: [HostPattern]) -> String {
        "[\(patterns.map { JSONWriter.quoted($0.description) }.joined(separator: ", "))]"
    }
}
