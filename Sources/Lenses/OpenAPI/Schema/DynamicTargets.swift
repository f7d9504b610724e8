/// The schemas of one name, shared by all dynamic references to it: there may be as many references as schemas.
struct DynamicTargets: Sendable {
    /// The schemas by the resources that have them.
    let byResource: [String: Schema.Number]
    /// The schemas' numbers, ascending.
    let numbers: [Schema.Number]

    init(_ byResource: [String: Schema.Number]) {
        self.byResource = byResource
        numbers = byResource.values.sorted()
    }
}
