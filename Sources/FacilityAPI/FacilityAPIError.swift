/// What keeps the stand-in servers from starting, in one sentence for the user.
package struct FacilityAPIError: Error, CustomStringConvertible, Equatable {
    package let description: String

    /// An error that says one thing on one line.
    package init(_ description: String) {
        self.description = description
    }
}
