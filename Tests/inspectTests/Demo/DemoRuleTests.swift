import Foundation
import Support
import Testing

@testable import inspect

@Suite("The rule of a demonstration", .timeLimit(.minutes(15)))
struct DemoRuleTests {
    @Test("It takes the place of an earlier demonstration's, and never of another's file")
    func place() throws {
        let directory = try TemporaryDirectory()
        let rule = DemoRule(besideStore: directory.file("shop.db"))
        try rule.write()
        let written = try String(contentsOfFile: rule.path, encoding: .utf8)
        #expect(written.contains("name: \(DemoRule.name)"))
        try written.replacing("15:00", with: "16:30").write(toFile: rule.path, atomically: true, encoding: .utf8)
        try rule.write()
        #expect(try String(contentsOfFile: rule.path, encoding: .utf8) == written)
        try "rules: []\n".write(toFile: rule.path, atomically: true, encoding: .utf8)
        let error = #expect(throws: InputError.self) { try rule.write() }
        #expect(error.map { "\($0)" }?.contains("is not of a demonstration; move it") == true)
        #expect(try String(contentsOfFile: rule.path, encoding: .utf8) == "rules: []\n")
    }
}
