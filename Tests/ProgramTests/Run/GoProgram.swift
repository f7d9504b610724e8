import Foundation
import Support

/// Programs in Go that tests write.
enum GoProgram {
    /// What the compiler keeps between runs; the first takes half a minute for `net/http`.
    private static let cache = Readme.root.appending(path: ".build/go").path

    /// Builds one.
    ///
    /// - Parameters:
    ///   - source: its only file.
    ///   - name: what the program is called.
    ///   - directory: where it goes.
    /// - Returns: its path.
    /// - Throws: when Go does not build it.
    static func build(_ source: String, as name: String, in directory: TemporaryDirectory) async throws -> String {
        let built = try await CommandLineTool.run(
            "go",
            ["build", "-o", directory.file(name), try directory.write(source, to: name + ".go")],
            environment: ["GOCACHE": cache, "HOME": directory.path],
            within: .seconds(180)
        )
        guard built.status == 0 else { throw Unexpected("go build: \(built.errors)") }
        return directory.file(name)
    }
}
