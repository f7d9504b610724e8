/// An edit of a trailer section that has yet to come.
package struct TrailerEdit: Sendable {
    let edit: FieldEdit
    let action: RuleAction
    let firing: RuleFiring

    /// Whether it needs the request's body.
    package var needsBody: Bool { edit.needsBody }
}
