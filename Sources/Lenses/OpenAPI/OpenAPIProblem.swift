/// Why a document cannot be held against captures: one sentence that begins with where in it.
package struct OpenAPIProblem: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }

    /// A problem at a place, `#/paths/~1items/get`.
    init(at place: String, _ sentence: String) { description = "\(place): \(sentence)" }
}
