/// A body whose content coding is not what it should be, and what is to be shown of it.
package struct FaultyBody: Sendable, CustomStringConvertible {
    package let description: String
    /// The value of its Content-Encoding.
    package let coding: String
    /// The bytes as sent.
    package let bytes: [UInt8]
    /// What is to be shown.
    package let shown: [UInt8]
    /// Words that the note on it holds.
    package let words: String

    /// One of each kind, coded with Python's gzip.
    ///
    /// - Throws: when Python is not there.
    package static func all() async throws -> [FaultyBody] {
        let text = Array(#"{"a": "wrong"}"#.utf8)
        // Numbers that hardly compress, so that a cut leaves most of them.
        let numbers = (0..<300_000).map { String(($0 &* 2_654_435_761) >> 5 & 0xFFFF_FFFF) }.joined(separator: "\n")
        let long = Array(numbers.utf8)
        let coded = try await gzip(text)
        let codedLong = try await gzip(long)
        let cut = Array(codedLong.prefix(codedLong.count - 20_000))
        let cutText = try await gunzip(cut)
        return [
            FaultyBody("plain text that claims gzip", "gzip", text, text, "gzip coding is damaged"),
            FaultyBody("plain text that claims br", "br", text, text, "br coding"),
            FaultyBody("plain text that claims zstd", "zstd", text, text, "zstd coding is damaged"),
            FaultyBody("a gzip cut short", "gzip", Array(coded.dropLast(8)), text, "gzip coding ends early"),
            FaultyBody("a gzip of megabytes cut short", "gzip", cut, cutText, "gzip coding ends early"),
            FaultyBody(
                "a gzip with a wrong sum",
                "gzip",
                coded.dropLast(8) + [1, 2, 3, 4, 5, 0, 0, 0],
                text,
                "damaged"
            ),
            FaultyBody("bytes behind a gzip", "gzip", coded + [1, 2, 3], text, "follow the end"),
            FaultyBody("an unknown coding", "rot13", text, text, "\"rot13\" is unknown"),
            FaultyBody("an unknown coding under gzip", "rot13, gzip", coded, text, "\"rot13\" is unknown"),
            FaultyBody("plain text under one gzip of two", "gzip, gzip", coded, text, "gzip coding is damaged"),
        ]
    }

    private init(_ description: String, _ coding: String, _ bytes: [UInt8], _ shown: [UInt8], _ words: String) {
        self.description = description
        self.coding = coding
        self.bytes = bytes
        self.shown = shown
        self.words = words
    }

    private static func gzip(_ bytes: [UInt8]) async throws -> [UInt8] {
        try await python("import gzip, sys; sys.stdout.buffer.write(gzip.compress(sys.stdin.buffer.read()))", bytes)
    }

    /// What zlib itself makes of the beginning of a gzip.
    private static func gunzip(_ bytes: [UInt8]) async throws -> [UInt8] {
        try await python(
            "import sys, zlib; sys.stdout.buffer.write(zlib.decompressobj(31).decompress(sys.stdin.buffer.read()))",
            bytes
        )
    }

    private static func python(_ program: String, _ bytes: [UInt8]) async throws -> [UInt8] {
        let result = try await CommandLineTool.run("python3", ["-c", program], input: bytes)
        guard result.status == 0 else { throw Failed(reason: result.errors) }
        return result.outputBytes
    }

    /// Python would not.
    struct Failed: Error {
        let reason: String
    }
}
