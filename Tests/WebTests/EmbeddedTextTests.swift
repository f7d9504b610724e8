import Foundation
import Testing

@testable import Web

@Suite("The page's files are in the executable", .timeLimit(.minutes(15)))
struct EmbeddedTextTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources/Web/Assets").standardizedFileURL

    @Test("Each of them is as it lies in the sources, byte for byte")
    func files() throws {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: Self.folder.path)
        var names: [String: Set<String>] = [:]
        var count = 0
        for path in paths {
            let file = Self.folder.appending(path: path)
            // A folder.
            guard !file.pathExtension.isEmpty else { continue }
            names[file.pathExtension, default: []].insert(file.lastPathComponent)
            count += 1
            let text = try #require(EmbeddedText.all[file.lastPathComponent], "\(path)")
            let isSame = try Data(text.utf8) == Data(contentsOf: file)
            #expect(isSame, "\(path)")
        }
        #expect(Set(names.keys) == ["js", "css", "svg", "html", "yaml"])
        // They are told apart by their names alone.
        #expect(count > 100 && names.values.reduce(0) { $0 + $1.count } == count)
    }

    @Test("Where there is no file of a name there is no text")
    func missing() {
        for name in ["no.js", "", "app", "list/list.js", "APP.JS"] {
            #expect(Asset.named(name) == nil, "\(name)")
        }
    }
}
