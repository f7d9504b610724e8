import Foundation
import Logging
import Support
import Testing

@testable import inspect

/// The log as text and as JSON.
@Suite(.timeLimit(.minutes(15))) struct LogLineTests {
    private static let line = LogLine(
        level: .warning,
        message: "recording again; \u{1B}[31m",
        metadata: ["b": "two words", "a": "1", "c": "a\"\u{301}b"],
        now: Date(timeIntervalSince1970: 1_000_000_000.5)
    )

    @Test("As text a line has time, level, message and metadata, and nothing that a terminal would obey")
    func text() {
        let text = String(decoding: Self.line.bytes(.text), as: UTF8.self)
        #expect(
            text
                == "2001-09-09T01:46:40.500Z warning: recording again; \\e[31m a=1 b=\"two words\" c=\"a\\\"\u{301}b\"\n"
        )
    }

    @Test("As JSON a line is one object")
    func json() throws {
        struct Line: Decodable, Equatable {
            let time: String
            let level: String
            let message: String
            let metadata: [String: String]
        }
        let bytes = Self.line.bytes(.json)
        #expect(bytes.last == 0x0A && bytes.dropLast().allSatisfy { $0 != 0x0A })
        #expect(
            try JSONDecoder().decode(Line.self, from: Data(bytes))
                == Line(
                    time: "2001-09-09T01:46:40.500Z",
                    level: "warning",
                    message: "recording again; \u{1B}[31m",
                    metadata: ["a": "1", "b": "two words", "c": "a\"\u{301}b"]
                )
        )
    }

    @Test("A logger follows its output's level and format, and a file moved away is opened anew")
    func output() throws {
        let directory = try TemporaryDirectory()
        let output = try LogOutput(path: directory.file("log"), format: .text, level: .warning)
        let logger = output.logger("test")
        logger.info("unsaid")
        logger.error("first")
        output.flush()
        try FileManager.default.moveItem(atPath: directory.file("log"), toPath: directory.file("moved"))
        try output.reopen()
        output.set(format: .json, level: .debug)
        logger.debug("second", metadata: ["a": "b"])
        output.flush()
        #expect(String(decoding: try directory.read("moved"), as: UTF8.self).hasSuffix(" error: first\n"))
        let second = String(decoding: try directory.read("log"), as: UTF8.self)
        #expect(second.contains(#""message":"second""#) && !second.contains("first") && !second.contains("unsaid"))
        let mode = try FileManager.default.attributesOfItem(atPath: directory.file("log"))[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test("A log that another user laid into a shared folder is not written to")
    func laid() throws {
        func open(_ path: String, as user: uid_t) throws {
            _ = try LogOutput(path: path, format: .text, level: .info, user: user)
        }
        try SharedFolder.withName { log in
            try Data().write(to: URL(filePath: log))
            let user = try ForeignOwner.give(log)
            #expect(throws: InputError.self) { try open(log, as: user) }
            try SharedFolder.withName { link in
                try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: log)
                #expect(throws: InputError.self) { try open(link, as: user) }
            }
        }
        // In a folder of one's own nobody lays anything.
        let directory = try TemporaryDirectory()
        let log = try directory.write("", to: "log")
        try open(log, as: try ForeignOwner.give(log))
    }

    @Test("Nowhere to log is told before anything is served")
    func nowhere() {
        #expect(throws: InputError.self) { try LogOutput(path: "/dev/null/log", format: .text, level: .info) }
    }
}
