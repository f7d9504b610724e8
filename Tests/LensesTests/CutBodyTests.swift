import Lenses
import Testing
import Traffic

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
        let first = view.sections.first
        #expect((first?.title == "Not whole") == isCut)
        if isCut {
            #expect(first?.content == .text("Of the response's body. Only the first 36 of 900 bytes were kept."))
        }
    }
}
