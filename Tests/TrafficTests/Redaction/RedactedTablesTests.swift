import Testing
import Traffic

/// Tables with secrets (`*`, a short word that nothing but its column tells) beside cells that are none.
@Suite("Secrets in the columns of a table do not leave the machine", .timeLimit(.minutes(15)))
struct RedactedTablesTests {
    private static let secret = "hunter2"

    /// What an export has of a response with this body, each placeholder as `#`.
    private func masked(_ text: String, type: String = "text/csv; charset=utf-8") throws -> String {
        let body = Array(text.replacing("*", with: Self.secret).utf8)
        let sample = SampleExchange(response: "HTTP/1.1 200 OK\nContent-Type: \(type)\n\n", responseBody: body)
        let redactor = Redactor { secret in
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            for byte in secret { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            return (0..<16).map { UInt8(truncatingIfNeeded: hash >> (($0 % 8) * 8)) }
        }
        let record = try redactor.redact(sample.record, source: sample.source)
        let kept = Int(record.exchange.response?.body.kept ?? 0)
        var bytes: [UInt8] = []
        while bytes.count < kept {
            bytes += try redactor.body(1, .response, Int64(bytes.count), kept, source: sample.source)
        }
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
            ("a,secret\n1\n2,*,3,x\n\n5,*", "a,secret\n1\n2,#,3,x\n\n5,#"),
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

    @Test(
        "A table without such a name stays byte for byte, and so does one that has no names",
        arguments: [
            ("name,age\r\n\"Ann, \"\"A\"\"\",7\r\n", "text/csv"), ("name,age,\n\"Ann,7\n,", "text/csv"),
            ("password,age\nann,7\n", "text/csv; header=absent"), ("", "text/csv"), ("password", "text/csv"),
            ("password,", "text/csv"), ("password,age\nann,7\n", "text/plain"),
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

    @Test("The part of a form may be a table, which ends with it", arguments: ["text/csv", "Text/CSV; charset=utf-8"])
    func parts(type: String) throws {
        let start = "--x\r\nContent-Disposition: form-data; name="
        let head = "\(start)\"file\"; filename=\"a.csv\"\r\nContent-type: \(type)\r\n\r\n"
        let rest = "\r\n\(start)\"note\"\r\n\r\nname,pin\r\nann,kept\r\n--x--\r\n"
        let out = try masked("\(head)name,pin\r\nann,\"*\(rest)", type: "multipart/form-data; boundary=x")
        #expect(out == "\(head)name,pin\r\nann,\"#\(rest)", "\(out)")
    }
}
