import Testing
import Traffic

@testable import Lenses

@Suite(.timeLimit(.minutes(15)))
struct CutBodyTests {
    private static let json = #"{"meta":{"total":0},"meetings":[]}"#

    @Test(
        "What is wrong with a body is the server's failure, and nobody's when we kept or read only its beginning",
        arguments: [true, false]
    )
    func cut(isCut: Bool) throws {
        let whole = LensSample.capture("/entrypoint.php?query&type=-1", json: Self.json)
        let problem = isCut ? "Only the first 36 of 900 bytes were kept." : nil
        let capture = Capture(
            exchange: whole.exchange,
            request: whole.request,
            response: CapturedBody(bytes: Array(Self.json.utf8), problem: problem, isCut: isCut)
        )
        let view = try #require(LensSet.standard.view(of: capture))
        #expect((view.failure == nil) == isCut)
        #expect(LensSet.standard.findings(capture).isEmpty == isCut)
        #expect(LensSet.standard.failsInside(capture) == (isCut ? nil : true))
        let first = view.sections.first
        #expect((first?.title == "Not whole") == isCut)
        if isCut {
            #expect(first?.content == .text("Of the response's body. Only the first 36 of 900 bytes were kept."))
        }
    }

    private static let zeros = "[" + Array(repeating: "0", count: 50).joined(separator: ",") + "]"

    @Test(
        "A body of more JSON values than are read is told as not whole, and is nobody's failure",
        arguments: [
            // An object, another, a list and what is in it; the two lists of a stream, or of two parts, together.
            (
                "/entrypoint.php?query&type=-1", "application/json",
                #"{"meta":{},"meetings":\#(CutBodyTests.zeros)}"#, 53
            ),
            ("/rpc", "text/event-stream", "data: \(CutBodyTests.zeros)\n\ndata: \(CutBodyTests.zeros)\n\n", 102),
            (
                "/graphql", "multipart/mixed; boundary=x",
                "--x\r\n\r\n\(CutBodyTests.zeros)\r\n--x\r\n\r\n\(CutBodyTests.zeros)\r\n--x--\r\n", 102
            ),
        ]
    )
    func values(target: String, type: String, body: String, count: Int) throws {
        let capture = LensSample.capture(
            "POST",
            target,
            requestFields: "Content-Type: application/json\r\n",
            request: Array(#"{"jsonrpc":"2.0","method":"watch","id":1}"#.utf8),
            fields: "Content-Type: \(type)\r\n",
            response: Array(body.utf8)
        )
        for (limit, isRead) in [(count, true), (count - 1, false)] {
            let lenses = LensSet(LensSet.standard.lenses, valuesLimit: limit)
            let view = try #require(lenses.view(of: capture))
            #expect((view.sections.first?.title == "Not whole") != isRead)
            guard !isRead else { continue }
            #expect(view.response == "not read whole" && view.failure == nil && lenses.findings(capture).isEmpty)
            let sentence = "Of the response's body. It has more than \(limit) JSON values, so it is not read."
            #expect(view.sections.first?.content == .text(sentence))
        }
    }

    @Test("Of an answer that has more JSON values than are read nothing is told to be new or gone")
    func changes() throws {
        let before = PortalCapture.of("package_show?id=x", result: PortalCapture.package())
        let other = PortalCapture.package(["title": #""Cycling""#, "zeros": Self.zeros])
        let after = PortalCapture.of("package_show?id=x", result: other)
        let count = try ExactJSON.count(before.response.bytes, limit: 1_000)
        for (limit, isRead) in [(1_000, true), (count, false)] {
            let lenses = LensSet(LensSet.standard.lenses, valuesLimit: limit)
            let sentence = "Cycling: title Cycling Network → Cycling"
            #expect(lenses.changes(from: before, to: after) == (isRead ? [sentence] : []))
            #expect(lenses.changes(from: after, to: before).isEmpty != isRead)
        }
    }

    @Test("Whoever reads a text to the letter reads no more values than there may be")
    func counts() throws {
        let text = Array(#"[1, {"a": [], "b": null}, "x", [[{}]]]"#.utf8)
        #expect(try ExactJSON.count(text, limit: 9) == 9)
        #expect(throws: ExactJSON.Problem.unread("has more values than are read")) {
            try ExactJSON.count(text, limit: 8)
        }
    }
}
