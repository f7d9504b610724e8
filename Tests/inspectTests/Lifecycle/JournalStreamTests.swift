import ArgumentParser
import CoreFoundation
import Foundation
import Support
import Testing

@testable import inspect

/// What a service prints is read by more than its user.
@Suite(.timeLimit(.minutes(15))) struct JournalStreamTests {
    @Test("The stream that the variable names is the journal, and no other is")
    func names() throws {
        let directory = try TemporaryDirectory()
        let descriptor = open(try directory.write("", to: "journal"), O_WRONLY)
        defer { close(descriptor) }
        var status = stat()
        #expect(fstat(descriptor, &status) == 0)
        let name = "\(status.st_dev):\(status.st_ino)"
        #expect(JournalStream.isThis(descriptor, environment: ["JOURNAL_STREAM": name]))
        #expect(!JournalStream.isThis(descriptor, environment: ["JOURNAL_STREAM": "\(status.st_dev):1"]))
        #expect(!JournalStream.isThis(descriptor, environment: [:]))
    }

    @Test("What is said there at the start has no token, but where it is found")
    func guide() throws {
        let options = try StartCommand.parse(["--store", "it's.db"]).options
        let instance = RunningInstance(
            listeners: [],
            pageURL: "http://127.0.0.1:8888/?token=0123456789abcdef",
            rootPEM: "",
            storePath: "it's.db"
        )
        var guide = StartGuide(options: options, instance: instance)
        #expect(guide.text.contains("page    http://127.0.0.1:8888/?token=0123456789abcdef\n"))
        guide.isForOthers = true
        #expect(!guide.text.contains("0123456789abcdef"))
        let link = #"page    http://127.0.0.1:8888/ (the link that opens it: inspect status --store 'it'\''s.db')"#
        #expect(guide.text.contains(link))
    }
}
