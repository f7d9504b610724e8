import Testing

@Suite(.timeLimit(.minutes(15))) struct ScheduleWriteTests {
    private func signedIn(_ type: String) -> [String: String] {
        editor.merging(["Content-Type": type]) { $1 }
    }

    @Test("The editor adds, changes, replaces and removes a schedule")
    func lifecycle() async throws {
        let json = signedIn("application/json")
        try await Stand().session { ask in
            let made = try await ask(
                "/api/schedules/",
                "POST",
                json,
                #"{"name":"Snow day","valid_start":"2026-12-01T00:00:00-05:00","valid_end":"2026-12-02T00:00:00-05:00","#
                    + #""open_times":[{"start_day":1,"end_day":1,"start_time":"10:00","end_time":"14:00:00"}]}"#
            )
            #expect(made.status == 201)
            #expect(made.header("Allow") == "GET, POST, HEAD, OPTIONS")
            #expect(made.body.contains(#""valid_start":"2026-12-01T00:00:00-05:00""#))
            let id = try #require(try made.json["id"]?.integer)
            let patched = try await ask("/api/schedules/\(id)/", "PATCH", json, #"{"twenty_four_hours":true}"#)
            #expect(patched.status == 200 && patched.body.contains(#""name":"Snow day""#))
            #expect(patched.body.contains(#""twenty_four_hours":true"#))
            let put = try await ask("/api/schedules/\(id)/", "PUT", json, #"{"name":"Thaw","valid_end":null}"#)
            #expect(put.status == 200 && put.body.contains(#""name":"Thaw""#))
            #expect(put.body.contains(#""valid_end":null"#))
            let gone = try await ask("/api/schedules/\(id)/", "DELETE", editor, nil)
            #expect(gone.status == 204 && gone.body.isEmpty)
            #expect(try await ask("/api/schedules/\(id)/", "GET", [:], nil).status == 404)
            #expect(try await ask("/api/schedules/\(id)/", "DELETE", editor, nil).status == 404)
        }
    }

    @Test("Forms are read as well as JSON")
    func forms() async throws {
        let multipart = "--x\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nBy part\r\n--x--\r\n"
        for (type, body, name) in [
            ("application/x-www-form-urlencoded", "name=By+form&twenty_four_hours=true", "By form"),
            ("multipart/form-data; boundary=x", multipart, "By part"),
        ] {
            let reply = try await Stand().ask("/api/schedules/", "POST", headers: signedIn(type), body: body)
            #expect(reply.status == 201)
            #expect(try reply.json["name"] == .string(name))
        }
    }

    @Test(
        "A body that will not do is refused with the reason",
        arguments: [
            ("application/json", "{}", 400, #"{"name":["This field is required."]}"#),
            ("application/json", #"{"name":null}"#, 400, #"{"name":["This field may not be null."]}"#),
            ("application/json", #"{"name":" "}"#, 400, #"{"name":["This field may not be blank."]}"#),
            (
                "application/json", #"{"name":"a","valid_end":"soon","twenty_four_hours":"perhaps"}"#, 400,
                #"{"valid_end":["Datetime has wrong format. Use one of these formats instead: "#
                    + #"YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z]."],"#
                    + #""twenty_four_hours":["\"perhaps\" is not a valid boolean."]}"#
            ),
            (
                "application/json", "[]", 400,
                #"{"non_field_errors":["Invalid data. Expected a dictionary."]}"#
            ),
            (
                "text/plain", "name", 415, #"{"detail":"Unsupported media type \"text/plain\" in request."}"#
            ),
        ]
    )
    func refused(type: String, body: String, status: Int, answer: String) async throws {
        let reply = try await Stand().ask("/api/schedules/", "POST", headers: signedIn(type), body: body)
        #expect(reply.status == status)
        #expect(reply.body == answer)
    }

    @Test(
        "Broken or absurdly deep JSON is a parse error",
        arguments: ["{", #"{"name":}"#, String(repeating: "[", count: 100_000)]
    )
    func parseErrors(body: String) async throws {
        let reply = try await Stand()
            .ask("/api/schedules/", "POST", headers: signedIn("application/json"), body: body)
        #expect(reply.status == 400)
        #expect(reply.body.hasPrefix(#"{"detail":"JSON parse error - "#))
    }

    @Test("A body over a mebibyte is not kept")
    func tooLarge() async throws {
        let body = String(repeating: " ", count: (1 << 20) + 1)
        let reply = try await Stand()
            .ask("/api/schedules/", "POST", headers: signedIn("application/json"), body: body)
        #expect(reply.status == 413)
    }
}
