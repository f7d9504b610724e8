import Foundation
import Support

/// The traffic of the demonstration: played and recorded once a run, and copied for each test that wants it.
actor RecordedDemo {
    /// The one of this run.
    static let shared = RecordedDemo()
    /// Gone at the end of the run, with all that is in it.
    private let folder = "\(HermeticEnvironment.home)/demo-\(UUID().uuidString)"
    private var recorded: String?

    /// Copies the store.
    ///
    /// - Parameter path: where nothing is yet.
    /// - Throws: when the demonstration fails.
    func copy(to path: String) async throws {
        try FileManager.default.copyItem(atPath: try await store(), toPath: path)
    }

    private func store() async throws -> String {
        if let recorded { return recorded }
        // Another test may ask meanwhile: then there are two, which are as good as one.
        let own = "\(folder)/\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
        let path = "\(own)/captures.db"
        let demo = try await CommandLineTool.run(
            try Executable.inspect(),
            ["demo", "--once", "--store", path, "--ca-directory", "\(own)/ca"],
            // What is freed is overwritten, so that whoever looks at it still crashes each time and not once in a year.
            environment: ["MALLOC_PERTURB_": "165"]
        )
        // With a log beside it, a copy of the file alone would lack the newest rows.
        guard demo.status == 0, !FileManager.default.fileExists(atPath: "\(path)-wal") else {
            throw Browser.Failure("the demonstration: \(demo.status), \(demo.output) \(demo.errors)")
        }
        recorded = path
        return path
    }
}
