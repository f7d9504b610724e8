/// The schemas of one name, for all dynamic references to it together: there may be as many of these as of the schemas.
struct DynamicTargets: Sendable {
    /// The schemas by the resources that have them.
    let byResource: [String: Schema.Number]
    /// Their numbers, ascending.
    let numbers: [Schema.Number]

    init(_ byResource: [String: Schema.Number]) {
        self.byResource = byResource
        numbers = byResource.values.sorted()
    }
}
