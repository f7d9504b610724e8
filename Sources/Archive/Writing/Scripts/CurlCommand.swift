import Traffic

/// Requests as curl commands for bash and zsh: method, target, field lines and body arrive byte for byte as they were recorded.
///
/// A text body is part of the command. Any other body, or one that is too long for a command line, comes through a pipe from `base64`.
package struct CurlCommand: RequestScript {
    package init() {}

    package var beginning: String { "#!/usr/bin/env bash\n" }

    package func write(_ request: SentRequest, isFirst: Bool, to write: ([UInt8]) throws -> Void) throws {
        let remarks = request.remarks.map { "# \($0)\n" }.joined()
        let isPiped = if case .bytes = request.content { true } else { false }
        let pipe = isPiped ? "base64 -d <<'END' | " : ""
        let command = pipe + "curl " + arguments(request).joined(separator: " \\\n  ")
        try write(Array("\n\(remarks)\(command)\n".utf8))
        guard isPiped else { return }
        try base64Lines(of: request, to: write)
        try write(Array("END\n".utf8))
    }

    /// The options, one a line; every value in a word of its own, so that a leading `-` or `@` means nothing.
    private func arguments(_ request: SentRequest) -> [String] {
        var options = ["--globoff --path-as-is" + version(request)]
        if request.hasField("Accept-Encoding") { options[0] += " --compressed" }
        switch (request.method, request.content) {
        case ("GET", .none): break
        case ("HEAD", .none): options.append("--head")
        default: options.append("--request \(ShellWord(request.method))")
        }
        options.append("--url \(ShellWord(request.url))")
        if !request.isExactAsURL || request.target.last == UInt8(ascii: "?") {
            options.append("--request-target \(ShellWord(bytes: request.target))")
        }
        for field in request.fields {
            let line = field.value.isEmpty ? "\(field.name);" : "\(field.name): "
            options.append("--header \(ShellWord(bytes: Array(line.utf8) + field.value))")
        }
        // A name without a value keeps curl from adding the field by itself.
        var added = ["User-Agent", "Accept"]
        switch request.content {
        case .none: break
        case .text(let text):
            added += ["Content-Type", "Expect"]
            options.append("--data-raw \(ShellWord(text))")
        case .bytes:
            added += ["Content-Type", "Expect"]
            options.append("--data-binary @-")
        }
        options += added.filter { !request.hasField($0) }.map { "--header \($0):" }
        return options
    }

    private func version(_ request: SentRequest) -> String {
        switch request.version {
        case .http10: " --http1.0"
        case .http2: request.scheme == .https ? " --http2" : " --http2-prior-knowledge"
        default: " --http1.1"
        }
    }
}
