/// A line of a tree with the lines under it.
package struct LensNode: Sendable, Equatable {
    package var label: LensText
    /// A text beside the label, if there is any.
    package var detail: LensText?
    package var children: [LensNode]

    package init(_ label: LensText, detail: LensText? = nil, children: [LensNode] = []) {
        self.label = label
        self.detail = detail
        self.children = children
    }
}
