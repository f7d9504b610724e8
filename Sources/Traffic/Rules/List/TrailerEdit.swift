/// An edit of a trailer section that has yet to come.
package struct TrailerEdit: Sendable {
    let edit: FieldEdit
    let action: RuleAction
    let firing: RuleFiring
}
