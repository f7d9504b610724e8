import ArgumentParser
import Foundation
import Support
import Testing
import Traffic

@testable import inspect

/// What `inspect har check` writes while it reads.
@Suite(.timeLimit(.minutes(15))) struct HARCheckReportTests {
    /// A HAR without a version and a list of pages.
    private static let faulty = #"{"log":{"creator":{"name":"a","version":"1"},"entries":[]}}"#
    private static let sound =
        #"{"log":{"version":"1.2","creator":{"name":"a","version":"1"},"pages":[],"entries":[]}}"#

    @Test("JSON has the file, every finding and the totals, also where there are none")
    func json() throws {
        let (text, count) = try written(Self.faulty, "--json")
        let value = try JSONReader.value(Array(text.utf8))
        let findings = value["findings"]?.elements ?? []
        #expect(text.hasPrefix(#"{"file":"in.har","findings":[{"entry":null,"request":null,"field":""#), "\(text)")
        #expect(text.hasSuffix(",\"entries\":0,\"count\":\(count)}\n") && findings.count == count && count > 1)
        #expect(findings.allSatisfy { $0["breaks"]?.elements?.isEmpty == false && $0["mend"]?.string != nil })
        let none = try written(Self.sound, "--json")
        #expect(none.text == "{\"file\":\"in.har\",\"findings\":[],\"entries\":0,\"count\":0}\n" && none.count == 0)
    }

    @Test("Lines are one for each finding, then the totals")
    func lines() throws {
        let (text, count) = try written(Self.faulty)
        let lines = text.split(separator: "\n")
        #expect(lines.count == count + 1 && lines.last == "0 entries: \(count) findings")
        #expect(try written(Self.sound).text == "0 entries: nothing is wrong\n")
    }

    /// What a pipe gets, and how many findings there are.
    private func written(_ har: String, _ flags: String...) throws -> (text: String, count: Int) {
        let directory = try TemporaryDirectory()
        let progress = Progress()
        let archive = try ArchiveFile(directory.write(har, to: "in.har"), progress: progress)
        let report = HARCheckReport(archive, progress: progress, repairingTo: nil)
        let path = try directory.write("", to: "out.txt")
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try Console(descriptor: file.fileDescriptor).write(report, OutputOptions.parse(flags))
        return (try String(contentsOfFile: path, encoding: .utf8), report.count)
    }
}
