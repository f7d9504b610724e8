/// Why a replay could not be sent, as a sentence for the user.
package struct ReplayError: Error, Sendable, CustomStringConvertible {
    /// What lets a refused request be sent; whoever shows the error puts it in words of its own.
    package enum WayOut: String, Hashable, Sendable, Codable {
        /// An `Authorization` field, in place of a user and a password in a URL.
        case authorization
        /// Leave to send the credentials of the capture, or another path.
        case path
        /// Leave to send the credentials of the capture, or another body.
        case body
    }

    package let description: String
    /// What lets it be sent after all; `nil` where nothing is known to.
    package let wayOut: WayOut?

    package init(_ description: String, wayOut: WayOut? = nil) {
        self.description = description
        self.wayOut = wayOut
    }
}
