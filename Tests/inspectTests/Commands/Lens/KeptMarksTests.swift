import Foundation
import Support
import Testing

@testable import inspect

@Suite("Marks beside the store", .timeLimit(.minutes(15)))
struct KeptMarksTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test("Changes made at the same time are all kept, in a file that only its owner may read")
    func together() async throws {
        let store = directory.file("captures.db")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<24 as Range<UInt64> {
                group.addTask {
                    _ = try KeptMarks.change(for: store) { marks in
                        marks.attendance.insert(number)
                        if number % 2 == 0 { marks.favourites.insert("Wards \(number)") }
                    }
                }
            }
            try await group.waitForAll()
        }
        let marks = try KeptMarks.read(for: store)
        #expect(marks.attendance == Set(0..<24) && marks.favourites.count == 12)
        let attributes = try FileManager.default.attributesOfItem(atPath: KeptMarks.path(for: store))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test("Marks that another user laid or may write, a link and a pipe are refused, and the pipe is not waited for")
    func foreign() throws {
        let store = directory.file("foreign.db")
        let path = KeptMarks.path(for: store)
        func refusal(user: uid_t = geteuid()) -> String {
            let problem = #expect(throws: InputError.self) { try KeptMarks.read(for: store, user: user) }
            return problem?.description ?? ""
        }
        _ = try KeptMarks.change(for: store) { $0.favourites.insert("Wards") }
        try FileManager.default.setAttributes([.posixPermissions: 0o622], ofItemAtPath: path)
        #expect(refusal().contains("is open to other users"))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        try FileManager.default.moveItem(atPath: path, toPath: directory.file("elsewhere"))
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: directory.file("elsewhere"))
        #expect(refusal().contains("cannot be read"))
        try FileManager.default.removeItem(atPath: path)
        #expect(mkfifo(path, 0o600) == 0)
        #expect(refusal().contains("is not a file"))
        try FileManager.default.removeItem(atPath: path)
        _ = try KeptMarks.change(for: store) { $0.favourites.insert("Wards") }
        let user = try ForeignOwner.give(path)
        #expect(refusal(user: user).contains("belongs to another user"))
    }

    @Test("Nothing is kept at first, and a file that cannot be read is said and left as it is")
    func damaged() throws {
        let store = directory.file("other.db")
        #expect(try KeptMarks.read(for: store) == KeptMarks())
        try Data("{\"attendance\":[-1]}".utf8).write(to: URL(fileURLWithPath: KeptMarks.path(for: store)))
        let problem = #expect(throws: InputError.self) {
            try KeptMarks.change(for: store) { $0.favourites.insert("x") }
        }
        #expect(problem?.description.contains("cannot be read") == true)
        #expect(try directory.read("other.db.marks") == Array("{\"attendance\":[-1]}".utf8))
    }
}
