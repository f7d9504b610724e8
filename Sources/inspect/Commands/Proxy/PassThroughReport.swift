import Traffic

/// What `inspect pass-through` shows without a host: the hosts whose TLS the running proxy does not decrypt.
struct PassThroughReport: Report {
    let hosts: [RunningPassThrough.Host]

    /// Writes `{"hosts":[{"host","added"}]}`.
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.objects("hosts", hosts) { host, json in
                json.string("host", host.host)
                json.boolean("added", host.added)
            }
        }
    }

    func lines(in layout: Layout) -> [String] {
        hosts.map { VisibleText.line($0.host) + ($0.added ? "  (added)" : "") }
    }
}
