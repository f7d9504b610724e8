/// Why an archive cannot be read from some point on, as the end of a sentence that begins with the file's name.
package struct ArchiveProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}
