/// An alert, and the answer that it is from.
package struct FoundAlert: Sendable {
    package let alert: CampusAlert
    package let source: CampusSource

    init(_ alert: CampusAlert, of source: CampusSource) { (self.alert, self.source) = (alert, source) }
}
