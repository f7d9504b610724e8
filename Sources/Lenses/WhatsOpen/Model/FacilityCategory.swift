package import Traffic

/// A kind of facility; two may have the same name.
package struct FacilityCategory: Sendable, Equatable {
    package let id: Int?
    package let name: String
    /// Remarks on what is missing, wrong or odd.
    package let warnings: [DataWarning]

    /// Reads a value, whatever is missing in it.
    package init(_ value: JSONValue, at pointer: String = "") {
        var object = WireObject(value, at: pointer)
        id = object.integer("id")
        name = object.text("name", isNeeded: true) ?? ""
        object.stamp("created")
        object.stamp("modified")
        warnings = object.warnings
    }
}
