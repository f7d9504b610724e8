import CoreFoundation
import Dispatch
import Foundation
import Support
import Testing
import Trust

@Suite("The right to change a file of a directory", .timeLimit(.minutes(15)))
struct DirectoryLockTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test("A lock that another gives back meanwhile is taken, and no other program has it then")
    func waiting() throws {
        let other = try DirectoryLock(directory.path, deadline: .zero)
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(20)) { other.release() }
        let lock = try DirectoryLock(directory.path, deadline: Patience.stretched(.seconds(10)))
        #expect(throws: TrustError.busy(directory: directory.path)) {
            try DirectoryLock(directory.path, deadline: .zero)
        }
        lock.release()
        try DirectoryLock(directory.path, deadline: .zero).release()
    }

    @Test("Given back it is free at once, also where a child that is being started still has a copy of the directory")
    func copied() throws {
        let lock = try DirectoryLock(directory.path, deadline: .zero)
        let copies = try descriptors().map { dup($0) }
        defer { for copy in copies { close(copy) } }
        #expect(copies.count == 1)
        lock.release()
        try DirectoryLock(directory.path, deadline: .zero).release()
    }

    /// The numbers under which this process has the directory open.
    private func descriptors() throws -> [Int32] {
        var wanted = stat()
        try #require(stat(directory.path, &wanted) == 0)
        return (0..<min(getdtablesize(), 65_536)).filter { number in
            var found = stat()
            return fstat(number, &found) == 0 && found.st_dev == wanted.st_dev && found.st_ino == wanted.st_ino
        }
    }

    @Test("What is no directory has no lock, and the system's reason is told")
    func nowhere() throws {
        for path in [directory.file("none"), try directory.write("", to: "file")] {
            let error = #expect(throws: TrustError.self) { try DirectoryLock(path, deadline: .zero) }
            guard case .unusable(path, let reason)? = error else {
                Issue.record("\(path): \(error.map { "\($0)" } ?? "nothing")")
                continue
            }
            #expect(reason == (path.hasSuffix("none") ? "No such file or directory" : "Not a directory"))
        }
    }
}
