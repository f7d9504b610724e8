import Foundation
import Support
import Testing

@testable import inspect

/// Files in YAML: no text may trap, hang or grow.
@Suite("No YAML hangs its reader or makes it grow", .timeLimit(.minutes(15)))
struct YAMLFuzzTests {
    private static let pieces = [
        "a: ", "- ", "\n", "\n  ", "{", "}", "[", "]", ",", ": ", "&a ", "*a", "<<: *a\n", "\"", "'", "|\n", ">-\n",
        "!!binary ", "? ", "#", "---\n",
        "...", "\t", "~", "0x1F", "1e999", "\\x41", "%YAML 1.2\n",
    ]

    private static let rulePieces = [
        "rules:\n", "- name: a\n", "  when: ", "host:a.test ", "-path:/", "  respond: ", "status: 503", "json: ",
        "text: ",
        "\"${uuid}\"", "fields: ", "set: ", "times: 2", "  send: ", "to: http://a", "  block: reset\n", "  request: ",
    ]

    static let parsers: [Fuzz] = [
        Fuzz("configuration", pieces: pieces, mostBytes: 2 << 10) { bytes in
            let file = try ConfigurationFile(text: String(decoding: bytes, as: UTF8.self), path: "c.yaml")
            _ = try file.effective(profile: file.profiles.first?.name)
        },
        Fuzz("openapi", pieces: pieces + ["$ref: \"#/", "properties: ", "schema: ", "type: "], mostBytes: 4 << 10) {
            bytes in
            let directory = try TemporaryDirectory()
            _ = try OpenAPIFile.document(at: try directory.write(String(decoding: bytes, as: UTF8.self), to: "a.yaml"))
        },
        Fuzz("rules", pieces: pieces + rulePieces, mostBytes: 2 << 10) { bytes in
            _ = try RuleFiles.read(String(decoding: bytes, as: UTF8.self), path: "r.yaml")
        },
    ]

    @Test("Nearly right texts are read or refused, quickly and in little room", arguments: parsers)
    func random(parser: Fuzz) throws {
        #expect(try parser.run(rounds: 150).findings == [])
    }
}
