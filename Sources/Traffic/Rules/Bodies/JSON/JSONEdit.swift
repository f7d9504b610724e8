/// The changes to a JSON body: set, insert, remove, merge, patch, in this order; every other byte stays as it is.
package struct JSONEdit: Hashable, Sendable {
    /// A value for the places that a path leads to.
    package struct Place: Hashable, Sendable {
        package var path: JSONPath
        package var value: JSONTemplate
    }

    /// Each value takes the place of those that its path leads to; a member that is missing in an object is added at its end.
    package var set: [Place] = []
    /// Each value stands before the element that its path names, or becomes a member where there is none of that name.
    package var insert: [Place] = []
    package var remove: [JSONPath] = []
    /// Members to set, and with null to remove, at any depth (RFC 7396).
    package var merge: JSONTemplate?
    /// Operations that are all done or none (RFC 6902).
    package var patch: [JSONPatchOperation] = []

    package init() {}

    package var isEmpty: Bool { self == JSONEdit() }

    /// Whether the request's body is needed first.
    var needsBody: Bool {
        (set + insert).contains { $0.value.needsBody } || merge?.needsBody == true
            || patch.contains { $0.value?.needsBody == true }
    }

    /// The changes with their values filled in.
    func ready(_ scope: inout TemplateScope) -> ReadyJSONEdit {
        var ready = ReadyJSONEdit()
        for place in set { ready.steps.append(.set(place.path, place.value.filled(&scope))) }
        for place in insert { ready.steps.append(.insert(place.path, place.value.filled(&scope))) }
        for path in remove { ready.steps.append(.remove(path)) }
        if let merge { ready.steps.append(.merge(merge.filled(&scope))) }
        for operation in patch {
            let value = operation.value?.filled(&scope)
            ready.patch.append(ReadyJSONEdit.Operation(operation: operation, value: value))
        }
        return ready
    }
}
