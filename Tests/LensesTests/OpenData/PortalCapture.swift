import Foundation
import NIOCore
import Traffic

/// Exchanges with the open-data portal, of a test's making.
enum PortalCapture {
    /// What the Date field says, unless told otherwise.
    static let date = "Sat, 21 Nov 2026 18:00:00 GMT"

    /// A list of two notices, the id of one a string.
    static let notices =
        #"{"Records":[{"noticeId":1234,"title":"Road Closing"},{"noticeId":"1235","title":"Fees"}]}"#

    /// A capture of a call: what follows `/api/3/action/`, or a whole target where it begins with a slash.
    static func of(
        _ call: String,
        code: Int = 200,
        body: String = "",
        type: String = "application/json;charset=utf-8",
        id: ExchangeID = 1,
        method: String = "GET",
        scheme: Scheme = .https,
        host: String = "ckan0.cf.opendata.inter.prod-toronto.ca",
        date: String = PortalCapture.date,
        requestBody: String = ""
    ) -> Capture {
        let target = call.hasPrefix("/") ? call : "/api/3/action/" + call
        var exchange = Exchange(
            timeline: Timeline(started: 1_795_000_000_000_000),
            method: method,
            scheme: scheme,
            host: host,
            port: 443,
            target: target,
            request: Message(head: ByteBuffer(string: "\(method) \(target) HTTP/1.1\r\nHost: \(host)\r\n\r\n")),
            client: Peer(token: 1, address: "", tls: nil),
            outcome: .completed
        )
        exchange.id = id
        exchange.code = code
        let bytes = Array(body.utf8)
        exchange.response = Message(
            head: ByteBuffer(string: "HTTP/1.1 \(code) Whatever\r\nContent-Type: \(type)\r\nDate: \(date)\r\n\r\n"),
            body: Body(length: Int64(bytes.count), kept: Int64(bytes.count), sha256: [])
        )
        return Capture(
            exchange: exchange,
            request: CapturedBody(bytes: Array(requestBody.utf8)),
            response: CapturedBody(bytes: bytes)
        )
    }

    /// A capture of a call that succeeded with this result.
    static func of(_ call: String, result: String, id: ExchangeID = 1, date: String = PortalCapture.date) -> Capture {
        of(call, body: envelope(result), id: id, date: date)
    }

    static func envelope(_ result: String) -> String {
        #"{"help":"https://portal.example/api/3/action/help_show?name=x","success":true,"result":\#(result)}"#
    }

    /// An answer that refuses.
    static func refusal(_ error: String) -> String {
        #"{"help":"https://portal.example/api/3/action/help_show?name=x","success":false,"error":\#(error)}"#
    }

    /// A dataset in which nothing is amiss, with other members in place of some of its own.
    static func package(_ changes: [String: String] = [:], without: Set<String> = []) -> String {
        var members = [
            "id": #""abbe5ee3-e249-4f86-a219-f0022eaddcc9""#, "name": #""cycling-network""#,
            "title": #""Cycling Network""#, "notes": #""Where people ride.""#,
            "owner_division": #""Transportation Services""#, "dataset_category": #""Map""#,
            "refresh_rate": #""Semi-annually""#, "formats": #"["CSV","GEOJSON"]"#,
            "topics": #"["Locations and mapping","Transportation"]"#, "civic_issues": #"["Mobility"]"#,
            "is_retired": "false", "license_id": #""open-government-licence-toronto""#,
            "license_title": #""Open Government Licence – Toronto""#,
            "last_refreshed": #""2026-09-14T19:14:43.338902""#, "metadata_created": #""2019-07-23T16:59:49.300570""#,
            "metadata_modified": #""2026-09-14T19:14:43.338902""#, "num_resources": "1", "num_tags": "1",
            "tags": #"[{"id":"b012e018","name":"bike lane","display_name":"bike lane","vocabulary_id":null}]"#,
            "resources": """
            [{"id":"71fdb11f-aaaa","package_id":"abbe5ee3","name":"cycling-network","format":"GeoJSON",\
            "url":"https://portal.example/datastore/dump/71fdb11f","datastore_active":true,"record_count":1581,\
            "created":"2025-06-30T20:28:13.343173","last_modified":null}]
            """,
        ]
        members.merge(changes) { $1 }
        let written = members.filter { !without.contains($0.key) }.sorted { $0.key < $1.key }
        return "{" + written.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
    }

    /// A dataset of another name and id.
    static func package(named name: String, _ changes: [String: String] = [:]) -> String {
        let own = ["id": "\"id-\(name)\"", "name": "\"\(name)\"", "title": "\"\(name.capitalized)\""]
        return package(own.merging(changes) { $1 })
    }

    /// A result of `package_search` with these packages and nothing else.
    static func found(_ packages: [String], count: Int? = nil, facets: String = "{}") -> String {
        """
        {"count":\(count ?? packages.count),"sort":"score desc","facets":\(facets),"search_facets":{},\
        "results":[\(packages.joined(separator: ","))]}
        """
    }

    /// Changes with these ids, newest first, one a minute.
    static func changes(_ ids: Range<Int>) -> String {
        let rows = ids.map { id in
            let minute = 9_999 - id
            let time = "2026-11-\(10 + minute / 1440)T\(two(minute / 60 % 24)):\(two(minute % 60)):00.000001"
            return """
                {"id":"change-\(id)","timestamp":"\(time)","user_id":"u","object_id":"id-set-\(id)","activity_type":"changed package",\
                "data":{"actor":"admin","package":\(package(named: "set-\(id)"))}}
                """
        }
        return "[\(rows.joined(separator: ","))]"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
