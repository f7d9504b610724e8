package import Traffic

/// The answer to `?info`: the meetings that a server gathers, and the servers it gathers from.
package struct MeetingServer: Sendable {
    /// A server that meetings are gathered from.
    package struct Source: Sendable {
        package let id: String
        package let service: String
        package let name: String
        package let url: String
        package let meetings: Int64?
        /// Meetings by organization.
        package let organizations: [(key: String, count: Int64)]
    }

    package let version: String?
    /// The time of the last update, in seconds since 1970.
    package let updated: Int64?
    /// Meetings by organization, `total_meetings` too.
    package let organizations: [(key: String, count: Int64)]
    /// The numbers of the servers, which come as a list, or as an object where PHP kept the keys.
    package let serverIDs: [Int64]
    package let sources: [Source]

    package init(_ value: JSONValue) {
        version = value["server_version"]?.string
        updated = value["last_update_timestamp"]?.integer
        organizations = MeetingServer.counts(value["organizations"])
        serverIDs = MeetingServer.values(value["server_ids"]).compactMap(\.integer)
        sources = MeetingServer.members(value["services"]).flatMap { service in
            MeetingServer.members(service.value["servers"]).map { member in
                let server = member.value
                return Source(
                    id: member.name,
                    service: service.value["service_name"]?.string ?? service.name,
                    name: server["name"]?.string ?? "",
                    url: server["url"]?.string ?? "",
                    meetings: server["num_meetings"]?.integer,
                    organizations: MeetingServer.counts(server["organizations"])
                )
            }
        }
    }

    private static func members(_ value: JSONValue?) -> [(name: String, value: JSONValue)] {
        if case .object(let members) = value { members } else { [] }
    }

    private static func values(_ value: JSONValue?) -> [JSONValue] {
        value?.elements ?? members(value).map(\.value)
    }

    private static func counts(_ value: JSONValue?) -> [(key: String, count: Int64)] {
        members(value).compactMap { member in member.value.integer.map { (member.name, $0) } }
    }
}
