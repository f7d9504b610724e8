import Testing

/// HAR as other tools write it, with the oddities that each is known for.
struct ForeignHAR: Sendable, CustomTestStringConvertible {
    let tool: String
    let text: String
    /// Pieces of the mends that have to be reported, in this order; none where nothing is odd.
    let mends: [String]

    var testDescription: String { tool }

    static let all = [
        ForeignHAR(
            tool: "Chrome",
            text: entry(
                request:
                    #""httpVersion":"http/2.0","headers":[{"name":":authority","value":"api.example.test"},{"name":":method","value":"GET"},{"name":"accept","value":"*/*"}],"queryString":[],"cookies":[],"headersSize":-1,"bodySize":0"#,
                response:
                    #""status":200,"statusText":"","httpVersion":"http/2.0","headers":[{"name":"content-type","value":"application/json"},{"name":"content-encoding","value":"br"}],"cookies":[],"content":{"size":14,"mimeType":"application/json","text":"{\"needle\":\"é\"}"},"redirectURL":"","headersSize":-1,"bodySize":-1,"_transferSize":321,"_error":null"#,
                more:
                    #","_initiator":{"type":"script"},"_priority":"High","_resourceType":"fetch","connection":"4421","serverIPAddress":"[2001:db8::1]""#,
                timings:
                    #"{"blocked":1.5,"dns":-1,"ssl":-1,"connect":-1,"send":0.1,"wait":20,"receive":-0.03,"_blocked_queueing":0.5}"#
            ),
            mends: ["timings.receive is below 0", "serverIPAddress is no bare address"]
        ),
        ForeignHAR(
            tool: "Firefox",
            text: entry(
                request:
                    #""httpVersion":"HTTP/2","headers":[{"name":"Host","value":"api.example.test"}],"queryString":[],"cookies":[],"bodySize":null"#,
                response:
                    #""status":200,"statusText":"OK","httpVersion":"HTTP/2","headers":[{"name":"content-type","value":"text/plain"}],"cookies":[],"content":{"size":6,"mimeType":"text/plain","text":"needle"},"redirectURL":"","headersSize":100,"bodySize":106"#,
                more: "",
                timings: "{}"
            ),
            mends: [
                "timings.send is missing", "timings.wait is missing", "timings.receive is missing",
                "request.headersSize is missing", "request.bodySize is null",
            ]
        ),
        ForeignHAR(
            tool: "Safari",
            text: entry(
                request:
                    #""httpVersion":"h3","headers":[{"name":"Accept","value":"*/*"}],"queryString":[],"cookies":[{"name":"a","value":"b","expires":"session"}],"headersSize":-1,"bodySize":-1"#,
                response:
                    #""status":200,"statusText":"OK","httpVersion":"h3","headers":[],"cookies":[],"content":{"size":6,"mimeType":"text/plain","text":"bmVlZGxl","encoding":"base64"},"redirectURL":"","headersSize":-1,"bodySize":6"#
            ),
            mends: ["request.httpVersion is h3", "request.cookies[0].expires is no date", "response.httpVersion is h3"]
        ),
        ForeignHAR(
            tool: "Charles",
            text: entry(
                request:
                    #""httpVersion":"HTTP/1.1","headers":[],"queryString":[],"cookies":[{"name":"a","value":"b","expires":"Wed, 21 Oct"}],"headersSize":10,"bodySize":0"#,
                response:
                    #""status":200,"statusText":null,"httpVersion":"HTTP/1.1","headers":[],"cookies":[],"content":{"size":6,"mimeType":null,"text":"needle"},"redirectURL":null,"headersSize":10,"bodySize":6"#
            ),
            mends: [
                "request.cookies[0].expires is no date", "response.statusText is null",
                "response.content.mimeType is null",
                "response.redirectURL is null",
            ]
        ),
        ForeignHAR(
            tool: "mitmproxy",
            text: entry(
                request:
                    #""httpVersion":"HTTP/2.0","headers":[],"queryString":[],"cookies":[],"headersSize":44,"bodySize":0"#,
                response:
                    #""status":0,"statusText":"","httpVersion":"","headers":[],"cookies":[],"content":{},"redirectURL":"","headersSize":-1,"bodySize":-1,"_transferSize":0,"_error":"needle: connection killed""#
            ),
            mends: ["response.content.size is missing", "response.content.mimeType is missing"]
        ),
        ForeignHAR(
            tool: "Proxyman",
            text: entry(
                request:
                    #""httpVersion":"HTTP/1.1","headers":[{"name":"X-Empty"},{"name":"X-Null","value":null}],"queryString":[],"cookies":[],"headersSize":10,"bodySize":5,"postData":{"mimeType":"application/x-www-form-urlencoded","params":[{"name":"a b","value":"needle"}]}"#,
                response:
                    #""status":204,"statusText":"No Content","httpVersion":"HTTP/1.1","headers":[],"cookies":[],"content":{"size":0,"mimeType":""},"redirectURL":"","headersSize":10,"bodySize":0"#
            ),
            mends: [
                "request.headers[0].value is missing", "request.headers[1].value is null",
                "request.postData.text is missing beside params",
            ]
        ),
        ForeignHAR(
            tool: "Fiddler",
            text: entry(
                request:
                    #""httpVersion":"HTTP/1.1","headers":[{"name":"Host","value":"api.example.test"}],"queryString":[],"cookies":[],"headersSize":10,"bodySize":0,"postData":null"#,
                response:
                    #""status":200,"statusText":"OK","httpVersion":"HTTP/1.1","headers":[["Content-Type","text/plain"],["Content-Encoding","gzip"]],"cookies":[],"content":{"size":6,"compression":"-20","mimeType":"text/plain","text":"needle"},"redirectURL":"","headersSize":10,"bodySize":26"#,
                more: #","connection":7,"serverIPAddress":"192.0.2.7:443""#
            ),
            mends: [
                "serverIPAddress is no bare address", "connection is a number", "request.postData is null",
                "response.headers[0] is a list", "response.headers[1] is a list",
                "response.content.compression is no whole",
            ]
        ),
    ]

    private static func entry(
        request: String,
        response: String,
        more: String = "",
        timings: String = #"{"send":0,"wait":12.5,"receive":1}"#
    ) -> String {
        """
        {"log":{"version":"1.2","creator":{"name":"a tool","version":"1"},"pages":[],"entries":[{"startedDateTime":"2026-01-02T03:04:05.678+01:00","time":25,
        "request":{"method":"GET","url":"https://api.example.test/a?b=1",\(request)},"response":{\(response)},"cache":{},"timings":\(timings)\(more)}]}}
        """
    }
}
