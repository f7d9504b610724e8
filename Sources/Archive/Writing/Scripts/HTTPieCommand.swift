import Traffic

/// Requests as HTTPie commands (`http`, HTTPie 3) for bash and zsh.
///
/// HTTPie sends field lines and targets in its own order and spelling, and reads a backslash in a value its own way; such values come from a file. It
/// takes a method with other characters than letters for the address, so such a request is left out, with a remark in its place. Words from an
/// archive come after `--`, where nothing is an option.
package struct HTTPieCommand: RequestScript {
    /// The characters of HTTPie's separators.
    private static let special = Array(":;=@".utf8)

    package init() {}

    package var beginning: String { "#!/usr/bin/env bash\n" }

    package func write(_ request: SentRequest, isFirst: Bool, to write: ([UInt8]) throws -> Void) throws {
        var remarks = request.remarks
        if !request.isExactAsURL { remarks.append("Its target has bytes that no URL may hold; they are escaped here.") }
        guard HTTPieCommand.takes(request.method) else {
            remarks.append("HTTPie takes methods of letters only, so the request is not here.")
            return try write(Array(("\n" + HTTPieCommand.lines(remarks)).utf8))
        }
        var arguments = ["--path-as-is"]
        var pipe = ""
        switch request.content {
        case .none: arguments[0] += " --ignore-stdin"
        case .text(""): arguments[0] += " --ignore-stdin"
        case .text(let text): arguments[0] += " --ignore-stdin --raw=\(ShellWord(text))"
        case .bytes: pipe = "base64 -d <<'END' | "
        }
        arguments.append("-- \(request.method) \(ShellWord(request.url))")
        arguments += request.fields.filter { $0.name.lowercased() != "transfer-encoding" }.map(item)
        var added = ["User-Agent", "Accept", "Accept-Encoding", "Connection"]
        if case .none = request.content {} else { added.append("Content-Type") }
        arguments += added.filter { !request.hasField($0) }.map { "\($0):" }
        let command = pipe + "http " + arguments.joined(separator: " \\\n  ")
        try write(Array(("\n" + HTTPieCommand.lines(remarks) + command + "\n").utf8))
        guard !pipe.isEmpty else { return }
        try base64Lines(of: request, to: write)
        try write(Array("END\n".utf8))
    }

    /// Whether HTTPie reads a word as a method.
    private static func takes(_ method: String) -> Bool {
        method.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(ASCII.lower($0)) }
    }

    private static func lines(_ remarks: [String]) -> String { remarks.map { "# \($0)\n" }.joined() }

    /// One field as a request item: `Name:value`, `Name;` for an empty one, `Name:@file` for one that HTTPie would read otherwise.
    private func item(_ field: SentRequest.Field) -> String {
        guard let first = field.value.first else { return "\(ShellWord(field.name + ";"))" }
        if field.value.contains(UInt8(ascii: "\\")) {
            return "\(ShellWord(field.name + ":@"))<(printf %s \(ShellWord(bytes: field.value)))"
        }
        let escape = HTTPieCommand.special.contains(first) ? "\\" : ""
        return "\(ShellWord(bytes: Array("\(field.name):\(escape)".utf8) + field.value))"
    }
}
