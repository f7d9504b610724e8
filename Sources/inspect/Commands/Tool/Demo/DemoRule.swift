import Foundation

/// The rule of a demonstration, in a file of its own beside the store, which can be changed while the demonstration runs.
struct DemoRule: Sendable {
    /// Its name.
    static let name = "closes early"
    /// The facility whose hours it changes, as its address names it.
    static let facility = "gold-leaf-grill"

    /// Where the file is.
    let path: String

    /// - Parameter store: where the demonstration's store is.
    init(besideStore store: String) {
        let url = URL(fileURLWithPath: store)
        path = url.deletingPathExtension().appendingPathExtension("rules.yaml").path
    }

    /// Writes the file, in the place of an earlier demonstration's.
    ///
    /// - Throws: `InputError` when it cannot be written, or when another's is there.
    func write() throws {
        if let there = FileManager.default.contents(atPath: path), !there.starts(with: Array(Self.mark.utf8)) {
            throw InputError("\(path) is not of a demonstration; move it, or name another store with --store")
        }
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent()
        // What is wrong with the directory is said of the file, below.
        try? FileManager.default.createDirectory(
            at: directory,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let file = try OutputFile(path)
        try file.write(Array(Self.text.utf8))
        try file.finish()
    }

    /// By what the file is known again.
    private static let mark = "# The rule of 'inspect demo'"

    /// The app asks twice, and the first answer stays as it is, so that the two can be compared.
    private static let text = """
        \(mark), which writes this file anew each time. Change it while the demonstration runs: the next request has it.
        rules:
        - name: \(name)
          note: On Fridays the grill closes at three, as far as the apps can see.
          when: method:GET path:/whatsopen/v2/facilities/\(facility)/ type:json
          skip: 1
          response:
            body:
              json:
                set: {"$.main_schedule.open_times[4].end_time": "15:00:00"}

        """
}
