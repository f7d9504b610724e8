import Traffic

/// A file or table of a dataset.
package struct DatasetResource: Sendable, Equatable {
    /// The resource's id, by which `datastore_search` reads its rows.
    package let id: String?
    package let name: String
    package let format: String?
    package let url: String?
    /// The count of rows in the portal's database; `nil` where the portal does not say.
    package let recordCount: Int64?
    /// Whether the rows can be asked for.
    package let isInDatastore: Bool

    /// Reads a resource; `nil` where the value is no object.
    init?(_ resource: JSONValue) {
        guard resource.isObject else { return nil }
        id = Dataset.text(resource["id"])
        format = Dataset.text(resource["format"])
        url = Dataset.text(resource["url"])
        name = Dataset.text(resource["name"]) ?? id ?? "without a name"
        recordCount = resource["record_count"]?.integer
        isInDatastore = Dataset.flag(resource["datastore_active"]) ?? false
    }
}
