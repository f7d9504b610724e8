import Foundation
import Support

/// The checkout that these tests were built from, read from disk.
enum Checkout {
    /// The top of the checkout, found from where this file stands.
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent()  // HouseRulesTests
        .deletingLastPathComponent()  // Tests
        .deletingLastPathComponent()

    /// Every file that git keeps, as paths from the top.
    static func trackedPaths() async throws -> [String] {
        let result = try await CommandLineTool.run(
            "git",
            ["-C", root.path, "-c", "safe.directory=*", "ls-files", "-z"]
        )
        guard result.status == 0 else { throw Unreadable(reason: "git ls-files says: \(result.errors)") }
        return result.output.split(separator: "\0").map(String.init)
    }

    /// Every Swift file under a folder, in the order of its path; those not yet under git too.
    static func swiftFiles(under folder: String) throws -> [SourceFile] {
        try files.get().filter { $0.path.hasPrefix(folder + "/") }
    }

    /// Every module, style sheet and document of the page, in the order of its path; those not yet under git too.
    static func pageFiles() throws -> [PageFile] {
        try paths(under: "Sources/Web/Assets", endingIn: ".js", ".css", ".html").map {
            PageFile(path: $0, text: try text(at: $0))
        }
    }

    /// All that there is, read once for all rules.
    private static let files = Result { try read("Sources") + read("Tests") }

    private static func read(_ folder: String) throws -> [SourceFile] {
        try paths(under: folder, endingIn: ".swift").map { SourceFile(path: $0, text: try text(at: $0)) }
    }

    /// The paths of the files under a folder whose names end so, from the top of the checkout and in order.
    private static func paths(under folder: String, endingIn endings: String...) throws -> [String] {
        guard let names = FileManager.default.enumerator(atPath: root.appending(path: folder).path) else {
            throw Unreadable(reason: "\(folder) is not in the checkout")
        }
        return names.compactMap { $0 as? String }
            .filter { name in endings.contains { name.hasSuffix($0) } }
            .sorted().map { "\(folder)/\($0)" }
    }

    /// The text of a file.
    static func text(at path: String) throws -> String {
        String(decoding: try Data(contentsOf: root.appending(path: path)), as: UTF8.self)
    }

    /// The checkout is not as a rule needs it.
    struct Unreadable: Error, CustomStringConvertible {
        let reason: String
        var description: String { reason }
    }
}
