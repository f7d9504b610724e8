import Foundation
import Support
import Testing
import Traffic

@testable import inspect

/// Of a directory only what lies in it is given, whoever changes it meanwhile.
@Suite(.timeLimit(.minutes(15))) struct DirectoryFileTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        for name in ["root", "root/sub", "out"] {
            try FileManager.default.createDirectory(
                atPath: directory.file(name),
                withIntermediateDirectories: true
            )
        }
        try directory.write("a", to: "root/a.txt")
        try directory.write("bb", to: "root/sub/b.txt")
        try directory.write("secret", to: "out/secret.txt")
        for (link, target) in [("in", "sub"), ("away", directory.file("out")), ("s.txt", "../out/secret.txt")] {
            try FileManager.default.createSymbolicLink(
                atPath: directory.file("root/\(link)"),
                withDestinationPath: target
            )
        }
    }

    /// The text of the file, or why there is none.
    private static func told(_ found: () throws -> DirectoryFile.Found) -> String {
        do {
            switch try found() {
            case .file(let file): return String(decoding: try file.read(at: 0, count: file.length), as: UTF8.self)
            case .missing: return "missing"
            case .outside: return "outside"
            }
        } catch { return "\((error as? RuleFault)?.sentence ?? "\(error)")" }
    }

    @Test(
        "A path leads to a file of the directory, by a link too that stays in it",
        arguments: [
            ("/a.txt", "a"), ("/sub/b.txt?x=1", "bb"), ("/in/b.txt", "bb"), ("/s%75b/b.txt", "bb"), ("/sub", "missing"),
            ("/a.txt/b", "missing"), ("/c.txt", "missing"), ("/s.txt", "outside"), ("/away/secret.txt", "outside"),
            ("/../out/secret.txt", "outside"), ("/%2e%2e/out/secret.txt", "outside"), ("/sub%2Fb.txt", "missing"),
        ]
    )
    func found(_ target: String, _ expected: String) {
        let place = RuleAnswer.Directory(path: directory.file("root"))
        #expect(Self.told { try DirectoryFile.find(target, in: place) } == expected)
    }

    @Test(
        "The beginning of a path that stands for the directory ends where a name ends",
        arguments: [
            ("/files", "/files/a.txt", "a"), ("/files", "/filesa.txt", "missing"),
            ("/files", "/files.bak/a.txt", "missing"),
            ("/files/", "/files/a.txt", "a"), ("/files/", "/filesa.txt", "missing"), ("/files", "/files?x=/a.txt", "a"),
            ("/my files", "/my%20files/a.txt", "a"), ("/my%20files/", "/my%20files/a.txt", "a"),
            ("/g\u{FC}", "/%67%C3%BC/a.txt", "a"), ("/a+b", "/a%20b/a.txt", "missing"),
            ("/a", "/%61%2Fa.txt", "missing"),
            ("/", "/a.txt", "a"), ("/files/sub", "/files/sub/a.txt", "a"), ("/files", "/other/a.txt", "missing"),
        ]
    )
    func stripped(_ beginning: String, _ target: String, _ expected: String) {
        var place = RuleAnswer.Directory(path: directory.file("root"))
        (place.strip, place.index) = (beginning, "a.txt")
        #expect(Self.told { try DirectoryFile.find(target, in: place) } == expected)
    }

    @Test(
        "A link that takes a file's place after it was found leads nowhere",
        arguments: [
            (["a.txt"], "a"), (["sub", "b.txt"], "bb"), (["s.txt"], "outside"), (["away", "secret.txt"], "outside"),
            (["in", "b.txt"], "outside"), (["gone", "b.txt"], "missing"), (["a.txt", "b"], "missing"),
        ]
    )
    func swapped(_ names: [String], _ expected: String) {
        let root = directory.file("root")
        #expect(Self.told { try DirectoryFile.opened(names.map { Substring($0).utf8 }, in: root) } == expected)
    }

    @Test("A directory that is not there, and a pipe or a loop of links in one, are faults that name them")
    func unusable() throws {
        let gone = RuleAnswer.Directory(path: directory.file("gone"))
        #expect(Self.told { try DirectoryFile.find("/a", in: gone) }.contains("/gone cannot be read: No such file"))
        #expect(mkfifo(directory.file("root/pipe"), 0o600) == 0)
        let place = RuleAnswer.Directory(path: directory.file("root"))
        #expect(Self.told { try DirectoryFile.find("/pipe", in: place) }.hasSuffix("root/pipe is no file"))
        #expect(symlink("loop", directory.file("root/loop")) == 0)
        #expect(Self.told { try DirectoryFile.find("/loop", in: place) }.contains("root/loop cannot be read: Too many"))
    }
}
