/// A question whose time is measured, and the SQL that answers the same where there is one.
struct BenchmarkQuery {
    /// What kind of question it is; each kind has its bound.
    enum Kind: String, CaseIterable {
        case selections = "facets under selections"
        case lines = "without text"
        case rare = "rare text"
        case common = "common text"
    }

    var kind: Kind
    var text: String
    /// SQL that counts what is selected; `nil` where SQL has no words for it.
    var sql: String?

    init(_ kind: Kind, _ text: String, sql: String? = nil) {
        (self.kind, self.text, self.sql) = (kind, text, sql)
    }

    private static let path = "substr(target, 1, instr(target || '?', '?') - 1)"

    /// What is asked.
    static let all: [BenchmarkQuery] = [
        BenchmarkQuery(
            .selections,
            "",
            sql: "SELECT code, count(*) FROM exchange GROUP BY code"
        ),
        BenchmarkQuery(
            .selections,
            "code:5xx,404 method:GET",
            sql:
                "SELECT host, count(*) FROM exchange WHERE (code >= 500 OR code = 404) AND upper(method) = 'GET' GROUP BY host"
        ),
        BenchmarkQuery(
            .selections,
            "host:api.srct.gmu.edu type:json version:2 scheme:https outcome:completed",
            sql:
                "SELECT code, count(*) FROM exchange WHERE host = 'api.srct.gmu.edu' AND media_type LIKE '%json' AND version = 'HTTP/2' GROUP BY code"
        ),
        BenchmarkQuery(
            .lines,
            "path:/facilities",
            sql: "SELECT count(*) FROM exchange WHERE \(path) LIKE '%/facilities%'"
        ),
        BenchmarkQuery(
            .lines,
            "path:*/records/query",
            sql: "SELECT count(*) FROM exchange WHERE \(path) LIKE '%/records/query'"
        ),
        BenchmarkQuery(.lines, "path:/v2\\/(alerts|locations)/"),
        BenchmarkQuery(
            .lines,
            "url:*.cdn.example/*.js",
            sql: "SELECT count(*) FROM exchange WHERE scheme || '://' || host || target LIKE '%.cdn.example/%.js'"
        ),
        BenchmarkQuery(
            .lines,
            "url:https://api.srct.gmu.edu/whatsopen/v2/alerts",
            sql:
                "SELECT count(*) FROM exchange WHERE scheme || '://' || host || target LIKE '%https://api.srct.gmu.edu/whatsopen/v2/alerts%'"
        ),
        BenchmarkQuery(.lines, "url:/tile-[0-9]+\\.maps.*\\/17\\//"),
        BenchmarkQuery(.lines, "query:page=7", sql: "SELECT count(*) FROM exchange WHERE target LIKE '%?%page=7%'"),
        BenchmarkQuery(.lines, "query:\"harbour bicycle\""),
        BenchmarkQuery(
            .lines,
            "query:ckapitoken=*f",
            sql: "SELECT count(*) FROM exchange WHERE target LIKE '%?ckapitoken=%f'"
        ),
        BenchmarkQuery(.lines, "-query:format -path:/t/ code:4xx"),
        BenchmarkQuery(.lines, "port:8080", sql: "SELECT count(*) FROM exchange WHERE port = 8080"),
        BenchmarkQuery(.lines, "-port:443 or client:bruin"),
        BenchmarkQuery(.lines, "time:>500ms", sql: "SELECT count(*) FROM exchange WHERE duration > 500000"),
        BenchmarkQuery(.lines, "size:>4k reqsize:0 type:json"),
        BenchmarkQuery(.lines, "type:image -host:*.maps.example size:<1k"),
        BenchmarkQuery(.lines, "is:replay", sql: "SELECT count(*) FROM exchange WHERE replay_of IS NOT NULL"),
        BenchmarkQuery(
            .lines,
            "is:truncated",
            sql: "SELECT count(*) FROM exchange WHERE request_kept < request_bytes OR response_kept < response_bytes"
        ),
        BenchmarkQuery(.lines, "is:websocket,replay -method:get"),
        BenchmarkQuery(
            .lines,
            "since:2025-11-04 before:2025-11-06T12:00",
            sql: "SELECT count(*) FROM exchange WHERE started >= 1762214400000000 AND started < 1762430400000000"
        ),
        BenchmarkQuery(.lines, "(code:500 path:/api) or (code:404 -method:get) or id:7..2000"),
        BenchmarkQuery(.lines, "client:\"What's Open\" path:*/schedules/* -code:200"),
        BenchmarkQuery(
            .rare,
            Needle.body.rawValue,
            sql: "SELECT count(*) FROM body_chunk WHERE bytes LIKE '%\(Needle.body.rawValue)%'"
        ),
        BenchmarkQuery(.rare, "resbody:\(Needle.body.rawValue)"),
        BenchmarkQuery(.rare, "body:\(Needle.coded.rawValue)"),
        BenchmarkQuery(.rare, "header:x-rare"),
        BenchmarkQuery(.rare, "resheader:x-rare=\(Needle.header.rawValue)"),
        BenchmarkQuery(
            .rare,
            Needle.target.rawValue,
            sql: "SELECT count(*) FROM exchange WHERE target LIKE '%\(Needle.target.rawValue)%'"
        ),
        BenchmarkQuery(.rare, "reqbody:\(Needle.request.rawValue)"),
        BenchmarkQuery(
            .rare,
            "message:\(Needle.message.rawValue)",
            sql: "SELECT count(*) FROM message WHERE payload LIKE '%\(Needle.message.rawValue)%'"
        ),
        BenchmarkQuery(.rare, "no-such-text-anywhere"),
        BenchmarkQuery(.rare, "/kingfisher-\\d+/"),
        BenchmarkQuery(.common, "body:is_open", sql: "SELECT count(*) FROM body_chunk WHERE bytes LIKE '%is_open%'"),
        BenchmarkQuery(.common, "café"),
        BenchmarkQuery(.common, "json"),
        BenchmarkQuery(.common, "header:content-encoding=gzip"),
        BenchmarkQuery(.common, "harbour -body:ferry code:200"),
        BenchmarkQuery(.common, "resbody:e"),
    ]
}
