import Traffic

extension TLSRemedy {
    /// The line for a shell that mends it; `nil` where nothing that can be typed helps.
    var command: String? { step?.command }
}

extension TLSRemedy.Step {
    /// The line for a shell that takes the step.
    var command: String {
        switch self {
        case .passThrough(let host): "inspect pass-through \(ShellWord(host))"
        case .run(let program, nil): "inspect run -- \(ShellWord(program ?? "COMMAND")) …"
        case .run(let program, .some(let url)): "inspect run -- \(ShellWord(program ?? "COMMAND")) \(ShellWord(url))"
        case .browse(let kind): "inspect browser \(kind.rawValue)"
        case .installRoot: "inspect ca install --system"
        case .readGuide: "inspect ca guide"
        case .checkMachine: "inspect doctor"
        case .translateProtocols: "inspect start --no-match-protocols"
        case .lookAt(let host, let port): "inspect tls \(ShellWord(TLSRemedy.authority(host, port)))"
        case .acceptAnyUpstream: "inspect start --insecure-upstream"
        case .trustUpstreamRoot: "inspect start --upstream-ca FILE"
        case .showCertificate(let host): "inspect start --client-certificate \(ShellWord("\(host)=FILE"))"
        }
    }
}
