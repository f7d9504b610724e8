import Foundation

/// The portal's people, vocabularies and help texts.
struct PortalDirectory: Sendable {
    /// The id of the account that changes datasets.
    static let adminID = "5d1c6a37-0000-4a66-b1b4-7c1e5b3f9a02"

    let time: WallTime
    let datasets: [Dataset]
    let founded: Date

    private static let people: [(id: String, name: String, fullName: String?, about: String?, isAdmin: Bool)] = [
        (adminID, "admin", "Portal Administrator", "Keeps the portal running.", true),
        ("9b0f5a10-0000-4c1e-9a51-0f3d2c7b8e11", "opendata", "Open Data Team", nil, false),
        ("c47e2d9a-0000-4f08-8d3b-64a1b7e5f022", "parks-publisher", "Parks, Forestry & Recreation", nil, false),
        ("e2a8b3c4-0000-4b7d-a5f6-91c0d3e4a533", "transport-publisher", nil, nil, false),
    ]

    /// Every user.
    var users: [JSON] { Self.people.indices.map(user) }

    /// The user of an id or name.
    func user(_ id: String) -> JSON? {
        Self.people.firstIndex { $0.id == id || $0.name == id }.map(user)
    }

    private func user(at position: Int) -> JSON {
        let person = Self.people[position]
        return [
            "id": .string(person.id), "name": .string(person.name), "fullname": .optional(person.fullName),
            "display_name": .string(person.fullName ?? person.name), "about": .optional(person.about),
            "created": .string(time.naive(founded.addingTimeInterval(Double(position) * 86_400 * 31 + 0.25))),
            "state": "active", "sysadmin": .bool(person.isAdmin),
            "number_created_packages": .int(person.isAdmin ? datasets.count : 0),
            "activity_streams_email_notifications": false,
            "number_of_edits": .int(person.isAdmin ? datasets.count * 6 : 0),
        ]
    }

    /// The vocabularies that tags are chosen from.
    var vocabularies: [JSON] {
        [("civic-issues", Set(datasets.flatMap(\.civicIssues))), ("topics", Set(datasets.flatMap(\.topics)))]
            .enumerated().map { position, entry in
                let id = "7a1d0c5e-000\(position)-4b2f-8c3d-5e6f7a8b9c0d"
                let tags = entry.1.sorted().enumerated().map { number, name -> JSON in
                    [
                        "id": .string("7a1d0c5e-1\(position)\(WallTime.padded(number, 2))-4b2f-8c3d-5e6f7a8b9c0d"),
                        "name": .string(name), "display_name": .string(name), "vocabulary_id": .string(id),
                    ]
                }
                return ["id": .string(id), "name": .string(entry.0), "tags": .array(tags)]
            }
    }

    private static let helpTexts = [
        "package_search": "Searches for packages satisfying a given search criteria.",
        "package_show": "Return the metadata of a dataset (package) and its resources.",
        "package_list": "Return a list of the names of the site's datasets (packages).",
        "package_autocomplete": "Return a list of datasets (packages) that match a string.",
        "package_activity_list": "Return a package's activity stream.",
        "recently_changed_packages_activity_list":
            "Return the activity stream of all recently added or changed packages.",
        "tag_list": "Return a list of the site's tags.",
        "user_list": "Return a list of the site's user accounts.",
        "user_show": "Return a user account.",
        "vocabulary_list": "Return a list of all the site's tag vocabularies.",
        "datastore_search": "Search a DataStore resource.",
        "help_show": "Return the help string for a particular API action.",
    ]

    /// The help of an action, in one string; nil for an unknown action.
    static func help(_ action: String) -> String? { helpTexts[action] }
}
