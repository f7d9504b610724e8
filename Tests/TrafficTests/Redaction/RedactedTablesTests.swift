import Foundation
import Testing
import Traffic

/// Tables with secrets (`*`, a short word that nothing but its column tells) beside cells that are none.
@Suite("Secrets in the columns of a table do not leave the machine", .timeLimit(.minutes(15)))
struct RedactedTablesTests {
    private static let secret = "hunter2"

    /// What an export has of a response with this body, each placeholder as `#`.
    private func masked(
        _ text: String,
        type: String = "text/csv; charset=utf-8",
        fields: String = "",
        target: String = "/a",
        findingLimit: Int = Redactor.findingLimit
    ) throws -> String {
        let body = Array(text.replacing("*", with: Self.secret).utf8)
        return try masked(body, type: type, fields: fields, target: target, findingLimit: findingLimit)
    }

    private func masked(
        _ body: [UInt8],
        type: String,
        fields: String = "",
        target: String = "/a",
        findingLimit: Int = Redactor.findingLimit
    ) throws -> String {
        let head = "HTTP/1.1 200 OK\nContent-Type: \(type)\n\(fields)\n"
        let sample = SampleExchange(target: target, response: head, responseBody: body)
        let redactor = Redactor(findingLimit: findingLimit, digest: Redactor.quickDigest)
        let bytes = try redactor.maskedResponse(of: sample)
        return String(decoding: bytes, as: UTF8.self).replacing(/<[a-z]+:[0-9a-f]+>/, with: "#")
    }

    @Test(
        "The cells below a secret's name are masked, and every other byte stays",
        arguments: [
            ("name,password,age\nann,*,7\nbob,*,8\n", "name,password,age\nann,#,7\nbob,#,8\n"),
            ("password\n*\n\n*", "password\n#\n\n#"), ("\r\nname,pin\r\nann,*\r\n", "\r\nname,pin\r\nann,#\r\n"),
            ("name,pin\rann,*\rbob,*", "name,pin\rann,#\rbob,#"),
            // Cells in quotation marks, with commas, line ends and marks of their own.
            (
                "\"name\",\"Pass\"\"word\"\r\n\"Ann, \"\"A\"\"\r\nof B\",\"first, *\r\n\"\"*\"\"\"\r\nbob,\"\"\r\n",
                "\"name\",\"Pass\"\"word\"\r\n\"Ann, \"\"A\"\"\r\nof B\",\"#\"\r\nbob,\"\"\r\n"
            ),
            (" name , \"API key\" \nann, \"*,x\" \n", " name , \"API key\" \nann, \"#\" \n"),
            // The last column and the first, rows that are too short and too long, names that are none of a secret.
            ("a,secret\n1\n2,*,3,x\n\n5,*", "a,secret\n1\n2,#,#,#\n\n5,#"),
            ("\u{FEFF}pin,token_type\n*,plain\n", "\u{FEFF}pin,token_type\n#,plain\n"),
            ("tokens,access_token\n12345,*\n", "tokens,access_token\n12345,#\n"),
            ("code,key,sid\nDE,color,*\n", "code,key,sid\nDE,color,#\n"),
            ("a,password\n1,\n2,null\n3,  \n4,*", "a,password\n1,\n2,null\n3,  \n4,#"),
            // What stands between cells.
            ("name;note, and more;pin\nann;a,b;*\n", "name;note, and more;pin\nann;a,b;#\n"),
            ("name\tnote, or\tpin\nann\ta,b\t*\n", "name\tnote, or\tpin\nann\ta,b\t#\n"),
            ("name|pin\nann|*\n", "name|pin\nann|#\n"),
            ("a;b;c,pin\n1,*\n", "a;b;c,pin\n1,#\n"), ("a, b, c\tpin\n1\t*\n", "a, b, c\tpin\n1\t#\n"),
            ("sep=;\r\nname;pin\r\nann;*\r\n", "sep=;\r\nname;pin\r\nann;#\r\n"),
            ("\"name,pin\nann,*\n", "\"name,pin\nann,#\n"),
            // A mark that was forgotten hides no row; that of a secret takes all that any reader takes for it.
            ("name,pin\n\"ann,*\nbob,*\n", "name,pin\n\"ann,#\nbob,#\n"),
            ("name,pin\n\"ann\" b,*\nbob,*\n", "name,pin\n\"ann\" b,#\nbob,#\n"),
            ("name,pin\nann,\"first,*\nand *", "name,pin\nann,\"#"),
            ("name,pin,a\nann,\"x,*\"*,1\nbob,*,2", "name,pin,a\nann,\"#,1\nbob,#,2"),
            ("pin,a,password\n\"first,1,*\nx,\"y\",*\nbob,2,*\n", "pin,a,password\n\"#\n#,2,#\n"),
        ]
    )
    func cells(text: String, expected: String) throws {
        let out = try masked(text)
        #expect(out == expected, "\(out)")
    }

    /// A text with quotation marks in the place of `~`.
    private func quoted(_ text: String) -> String { text.replacing("~", with: "\"") }

    @Test(
        "What is in a cell is searched, and its quotation marks stay doubled",
        arguments: [
            ("1,~{~~password~~:~~*~~}~", "1,~{~~password~~:~~#~~}~"),
            ("~{~~a~~:[{~~pin~~:~~* x~~}],~~k~~:~~kept~~}~,1", "~{~~a~~:[{~~pin~~:~~#~~}],~~k~~:~~kept~~}~,1"),
            (#"1,~{~~a~~:~~{\~~pin\~~:\~~*\~~}~~}~,2"#, #"1,~{~~a~~:~~{\~~pin\~~:\~~#\~~}~~}~,2"#),
            ("1,~[~~Cookie~~,~~sid=*~~]~", "1,~[~~Cookie~~,~~#~~]~"),
            ("1,~{~~pin~~:1234,~~b~~:2}~", "1,~{~~pin~~:~~#~~,~~b~~:2}~"),
            ("1,~{'pin': 1234, 'b': 2}~", "1,~{'pin': #, 'b': 2}~"),
            ("1, ~say password: ~~*, x~~ then~ ", "1, ~say password: ~~#~~ then~ "),
            ("1,~<a pin=~~*~~>kept</a>~", "1,~<a pin=~~#~~>kept</a>~"),
            // A cell that was cut, a table in a cell, what stands between cells elsewhere.
            ("1,~{~~a~~:1,~~password~~:~~*", "1,~{~~a~~:1,~~password~~:~~#"),
            ("1,~a,~~{~~~~pin~~~~:~~~~*~~~~}~~~", "1,~a,~~{~~~~pin~~~~:~~~~#~~~~}~~~"),
            ("1\t~{~~pin~~:~~*~~}~\n", "1\t~{~~pin~~:~~#~~}~\n"),
        ]
    )
    func insides(row: String, expected: String) throws {
        for start in ["id,data\r\n", ""] {
            let out = try masked(quoted(start + row))
            #expect(out == quoted(start + expected), "\(out)")
        }
        let out = try masked(quoted("data\n" + row), type: "text/plain")
        #expect(!out.contains(Self.secret), "\(out)")
    }

    @Test("What is in a cell of a table in JSON is searched, and JSON stays JSON")
    func escaped() throws {
        let text = #"{"csv":"id,data\n1,\"{\"\"pin\"\":\"\"*\"\"}\"\n","kept":1}"#
        let out = try masked(text, type: "application/json")
        #expect(out == text.replacing("*", with: "#"), "\(out)")
    }

    @Test(
        "Where a row has other cells than the headings, or can be read in several ways, all that may be a secret is masked",
        arguments: [
            // A separator in a cell without quotation marks, and one behind the last cell.
            ("name,pin\nSmith, John,*\nbob,*\n", "name,pin\nSmith, #,#\nbob,#\n"),
            ("name,pin\nann,*,\nbob,*,\n", "name,pin\nann,#,\nbob,#,\n"),
            ("code,password\nDE,*,\n", "code,password\nDE,#,\n"),
            ("max_tokens,pin\n100,*,\n", "max_tokens,pin\n100,#,\n"),
            // A backslash that escapes a quotation mark, a separator or a line end, and one that does not.
            ("name,pin\n~a \\~ , b~,*\n", "name,pin\n~a \\~ , #,#\n"),
            ("name,pin,note\n~a\\~~,*,~,x~\n", "name,pin,note\n~a\\~~,#,~,#\n"),
            ("id,name,pin,note\n7,a\\,b,*", "id,name,pin,note\n7,a\\,#,#"),
            ("id,name,pin\n7,a\\\nb,*\n", "id,name,pin\n7,a\\\nb,#\n"),
            ("path,pin,x\nC:\\dir\\,*,1\n", "path,pin,x\nC:\\dir\\,#,1\n"),
            ("id,a,pin\n7,~{~~k~~:~~x \\~~y, z\\~~ w~~}~,*\n", "id,a,pin\n7,~{~~k~~:~~x \\~~y, z\\~~ w~~}~,#\n"),
            // A line end in a cell without quotation marks, and in one that has one too many.
            ("id,name,pin\n7,Ann\nSmith,*\n8,bob,*\n", "id,name,pin\n7,Ann\nSmith,#\n8,bob,#\n"),
            ("id,name,pin\n7,~Smith, a\nJohn~ x,*\n8,bob,*\n", "id,name,pin\n7,~Smith, #\n#,#\n8,bob,#\n"),
            // As many of one separator as of another, and one that the table names itself.
            ("a|b,pin\nx|y,*\n", "a|b,pin\nx|y,#\n"), ("a|b;pin\nx|y;*\n", "a|b;pin\nx|y;#\n"),
            ("sep=^\r\nname^pin\r\nann^*\r\n", "sep=^\r\nname^pin\r\nann^#\r\n"),
            ("sep=^\nid^a\n7^~{~~pin~~:~~*~~}~^1\n", "sep=^\nid^a\n7^~{~~pin~~:~~#~~}~^1\n"),
            ("\u{FEFF}SEP=^\nid^a\n7^~{~~pin~~:~~*~~}~", "\u{FEFF}SEP=^\nid^a\n7^~{~~pin~~:~~#~~}~"),
            // Rows above the headings.
            ("# Export of 2024\nname,pin\nann,*\n", "# Export of 2024\nname,pin\nann,#\n"),
            ("# a, b\n# c, d\nname,pin\nann,*\n", "# a, b\n# c, d\nname,pin\nann,#\n"),
            ("Export,,\n,,\nname,age,pin\nann,7,*\n", "Export,,\n,,\nname,age,pin\nann,7,#\n"),
            ("Users, January\nname;pin\nann;*\n", "Users, January\nname;pin\nann;#\n"),
            ("Users, January\n\nname,pin\nann,*\n", "Users, January\n\nname,pin\nann,#\n"),
            ("Export of pins\r\nname,~pin~\r\nann,*\r\n", "Export of pins\r\nname,~pin~\r\nann,#\r\n"),
        ]
    )
    func shifted(text: String, expected: String) throws {
        let out = try masked(quoted(text))
        #expect(out == quoted(expected), "\(out)")
    }

    @Test("A table that is read in several ways has each secret once")
    func once() throws {
        let rows = (0..<8).map { "a\\\($0)|b,*\n" }.joined()
        let out = try masked("x|y,pin\n\(rows)kept|b,\n", findingLimit: 10)
        #expect(out == "x|y,pin\n\(rows.replacing("*", with: "#"))kept|b,\n", "\(out)")
    }

    @Test(
        "A table without such a name stays byte for byte, and so does one that has no names",
        arguments: [
            ("name,age\r\n\"Ann, \"\"A\"\"\",7\r\n", "text/csv"), ("name,age,\n\"Ann,7\n,", "text/csv"),
            ("password,age\nann,7\n", "text/csv; header=absent"), ("", "text/csv"), ("password", "text/csv"),
            ("password,", "text/csv"), ("password,age\nann,7\n", "text/plain"),
            ("event,detail\nlogin,password\nlogout,x\n", "text/csv"),
            ("time,text\n12:00,login, password reset, done\n12:01,x\n", "text/csv"),
            ("a,b\n\"x\"\"y\",\"{\"\"k\"\":1}\"\n", "text/csv"),
            ("token_type\tage\nplain\t7\n", "text/tab-separated-values"),
        ]
    )
    func plain(text: String, type: String) throws { #expect(try masked(text, type: type) == text) }

    @Test(
        "A table is one by the other names of its type too",
        arguments: [
            "text/x-csv", "application/csv", "text/tab-separated-values; charset=utf-8", "application/vnd.ms-excel",
        ]
    )
    func types(type: String) throws { #expect(try masked("pin\n*\n", type: type) == "pin\n#\n") }

    @Test(
        "A table is one by the name of its file or the path of its URL, where its type says nothing",
        arguments: [
            ("text/plain", "", "/files/users.csv"), ("application/octet-stream", "", "/a/Users%2ECSV?X-Amz-Date=1"),
            ("binary/octet-stream", "Content-Disposition: attachment; filename=\"users.csv\"\n", "/get?id=7"),
            ("application/octet-stream", "Content-Disposition: inline; filename*=UTF-8''users%2Etsv\n", "/get"),
        ]
    )
    func names(type: String, fields: String, target: String) throws {
        let out = try masked("name,pin\nann,*\n", type: type, fields: fields, target: target)
        #expect(out == "name,pin\nann,#\n", "\(out)")
        let json = "[\n\"name\",\"pin\",\n\"ann\",\"kept\"\n]"
        #expect(try masked(json, type: "application/json", fields: fields, target: target) == json)
    }

    @Test("A table that is packed is one by the name before that of its packing")
    func packed() throws {
        let coder = GzipEncoder()
        let body = try coder.write(Array("name,pin\nann,\(Self.secret)\n".utf8)) + coder.finish()
        let out = try masked(body, type: "application/gzip", target: "/users.csv.gz")
        #expect(out == "name,pin\nann,#\n", "\(out)")
    }

    @Test("A table whose bytes look like UTF-16 is one in either reading")
    func guesses() throws {
        let accents = [UInt8](repeating: 0xE9, count: 21)
        let body = Array("name,pin\n".utf8) + accents + Array(",\(Self.secret)\n".utf8)
        let out = try masked(body, type: "text/csv; charset=utf-16")
        #expect(out.contains("#"), "\(out)")
        for order in [String.Encoding.utf16LittleEndian, .utf16BigEndian] {
            let units = Array(out.data(using: order) ?? Data())
            #expect(!String(decoding: units, as: UTF8.self).contains(Self.secret), "\(out)")
        }
    }

    @Test(
        "The part of a form may be a table, which ends with it",
        arguments: [
            ("a.csv", "Content-type: text/csv\r\n"), ("a", "Content-Type: Text/CSV; charset=utf-8\r\n"),
            ("a.csv", "Content-Type: application/vnd.ms-excel\r\n"), ("a.tsv", ""),
            ("a.CSV", "Content-Type: application/octet-stream\r\n"),
        ]
    )
    func parts(name: String, type: String) throws {
        let start = "--x\r\nContent-Disposition: form-data; name="
        let head = "\(start)\"file\"; filename=\"\(name)\"\r\n\(type)\r\n"
        let rest = "\r\n\(start)\"note\"\r\n\r\nname,pin\r\nann,kept\r\n--x--\r\n"
        let out = try masked("\(head)name,pin\r\nann,\"*\(rest)", type: "multipart/form-data; boundary=x")
        #expect(out == "\(head)name,pin\r\nann,\"#\(rest)", "\(out)")
    }
}
