/// A name with its value.
package struct LensField: Sendable, Equatable {
    package var name: String
    package var value: LensText

    package init(_ name: String, _ value: LensText) {
        self.name = name
        self.value = value
    }

    package init(_ name: String, _ value: String) { self.init(name, LensText(value)) }
}
