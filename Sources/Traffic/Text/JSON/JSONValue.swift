/// A JSON text read whole (RFC 8259): `json:`, the lenses, comparisons and checks look into it.
package enum JSONValue: Sendable {
    case null
    case boolean(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    /// The members in order; a name may stand twice.
    case object([(name: String, value: JSONValue)])
}
