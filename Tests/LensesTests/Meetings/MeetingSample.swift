import Lenses
import Traffic

/// JSON of meetings, of a test's making.
enum MeetingSample {
    /// A whole virtual meeting, with some members otherwise; `nil` leaves one out.
    static func json(_ changes: [String: String?] = [:]) -> String {
        var members: [String: String] = [
            "server_id": "99", "meeting_id": "11", "organization_key": #""na""#, "name": #""Late Owls""#,
            "start_time": #""23:30:00""#, "time_zone": #""Pacific/Auckland""#, "weekday": "7", "duration": "3600",
            "formats": "[]", "virtual_information": #"{"phone_number":"+64 9 000 0000"}"#,
        ]
        for (name, value) in changes { members[name] = value }
        return "{" + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
    }

    /// An answer with meetings, its `meta` right but for some members.
    static func answer(_ meetings: [String], meta changes: [String: String?] = [:]) -> String {
        let count = meetings.count
        var meta = [
            "total": "\(count)", "total_pages": "1", "page_size": "\(count)", "page": "0", "starting_index": "0",
            "actual_size": "\(count)", "search_time": "0.16",
        ]
        for (name, value) in changes { meta[name] = value }
        let members = meta.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
        return "{\"meta\":{\(members)},\"meetings\":[\(meetings.joined(separator: ","))]}"
    }

    /// A meeting read from its JSON.
    static func meeting(_ changes: [String: String?] = [:]) throws -> Meeting {
        Meeting(try JSONReader.value(Array(json(changes).utf8)), index: 0)
    }
}
