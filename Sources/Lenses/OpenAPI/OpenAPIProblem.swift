/// A reason why captures cannot be checked against a document: a sentence that begins with the place in the document.
package struct OpenAPIProblem: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }

    /// Makes a problem at a place, such as `#/paths/~1items/get`.
    init(at place: String, _ sentence: String) { description = "\(place): \(sentence)" }
}
