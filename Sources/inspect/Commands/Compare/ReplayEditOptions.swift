import ArgumentParser
import Foundation
import Traffic

/// How requests are edited before they are sent again.
struct ReplayEditOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Send to this origin, such as http://127.0.0.1:8081; its path goes before the request's.",
            valueName: "base-url"
        )
    )
    var to: String?

    @Option(help: ArgumentHelp("Send this method.", valueName: "method"))
    var setMethod: String?

    /// The former spelling of `--set-method`, which everywhere else selects by the method.
    @Option(name: .customLong("method"), help: .hidden)
    var formerMethod: String?

    @Option(
        help: ArgumentHelp("Set this field, in place of the fields of its name: 'X-Try: 2'.", valueName: "name:value")
    )
    var header: [String] = []

    @Option(help: ArgumentHelp("Leave out the fields of this name.", valueName: "name"))
    var removeHeader: [String] = []

    @Option(
        help: ArgumentHelp(
            "Set this query item, in place of the items of its name: limit=5, open_now.",
            valueName: "item"
        )
    )
    var queryItem: [String] = []

    @Option(help: ArgumentHelp("Send this body: text, @FILE, or @- for standard input.", valueName: "text"))
    var body: String?

    @Flag(help: "Edit the request in $EDITOR before it is sent.")
    var edit = false

    @Flag(
        help:
            "Send cookies, Authorization, API keys and the like to another origin too."
    )
    var sendCredentials = false

    func validate() throws {
        for field in header where !field.contains(":") {
            throw ValidationError("--header '\(field)': expected NAME:VALUE")
        }
    }

    /// Refuses the former `--method` where it might be meant to select.
    ///
    /// - Parameter selection: what is to be sent.
    /// - Throws: `ValidationError` with both ways to write it.
    func requireClearMethod(beside selection: ReplaySelection) throws {
        guard let formerMethod, !selection.isOfNumbers || setMethod != nil else { return }
        throw ValidationError(
            "--method may select or edit here: write --set-method \(formerMethod) to send \(formerMethod), or method:\(formerMethod) in the query to select"
        )
    }

    /// The edits, with the body read.
    ///
    /// - Throws: `InputError` when the body's file cannot be read.
    func edits(against base: String? = nil) throws -> ReplayEdits {
        var edits = bodiless(base)
        edits.body = try body.map(ReplayEditOptions.bytes)
        return edits
    }

    /// What could be sent of no request; `nil` where nothing is wrong.
    func problem(against base: String?) -> String? { bodiless(base).problem?.words }

    private func bodiless(_ base: String?) -> ReplayEdits {
        var edits = ReplayEdits()
        edits.to = base ?? to
        edits.method = setMethod ?? formerMethod
        edits.headers = header.map { text in
            let name = text.prefix { $0 != ":" }
            let value = text.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
            return ReplayEdits.Field(name: name.trimmingCharacters(in: .whitespaces), value: value)
        }
        edits.removeHeaders = removeHeader
        edits.query = queryItem
        edits.sendCredentials = sendCredentials
        return edits
    }

    private static func bytes(_ text: String) throws -> [UInt8] {
        guard text.hasPrefix("@") else { return Array(text.utf8) }
        let file = try ArchiveFile(String(text.dropFirst()), progress: Progress())
        var bytes: [UInt8] = []
        while case let piece = try file.next(), !piece.isEmpty {
            bytes += piece
            guard bytes.count <= 64 << 20 else { throw InputError("\(file.name) is longer than the 64 MiB of a body") }
        }
        return bytes
    }
}
