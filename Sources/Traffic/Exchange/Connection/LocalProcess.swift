/// The program of this machine at the other end of a client's connection.
package struct LocalProcess: Hashable, Sendable {
    /// The process number of the system; 0 where only its name is known.
    package var id: Int32
    /// Its name as the system lists it: `curl`, `python3`.
    package var name: String
    /// The name of the file that runs, where that can be read and says more: `python3.11`.
    package var executable: String?

    package init(id: Int32, name: String, executable: String? = nil) {
        self.id = id
        self.name = name
        self.executable = executable
    }

    /// For a person: `curl (4711)`.
    package var text: String { id > 0 ? "\(name) (\(id))" : name }
}
