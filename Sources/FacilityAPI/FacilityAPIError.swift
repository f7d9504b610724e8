/// An error that keeps the stand-in servers from starting, in one sentence for the user.
package struct FacilityAPIError: Error, CustomStringConvertible, Equatable {
    package let description: String

    /// Makes an error of one sentence.
    package init(_ description: String) {
        self.description = description
    }
}
