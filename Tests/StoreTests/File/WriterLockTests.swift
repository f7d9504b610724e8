import Dispatch
import Foundation
import Support
import Testing

@testable import Store

@Suite("The right to write to a store", .timeLimit(.minutes(15)))
struct WriterLockTests {
    /// Held by the suite, so that the directory outlives the test.
    private let home: TemporaryStore

    init() throws { home = try TemporaryStore() }

    @Test("Who only looks whether somebody writes, and holds the lock for a moment, keeps nobody from writing")
    func looker() throws {
        try home.open().close()
        let looking = open(home.path + ".lock", O_RDONLY | O_CLOEXEC)
        defer { close(looking) }
        #expect(flock(looking, LOCK_SH | LOCK_NB) == 0)
        #expect(throws: StoreError.self) { try WriterLock(path: home.path, within: .milliseconds(1)) }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(20)) { flock(looking, LOCK_UN) }
        try WriterLock(path: home.path, within: Patience.stretched(.seconds(10))).release()
        #expect(WriterLock.lookLimit == .milliseconds(100))
    }

    @Test("Given back it is free at once, also where a child that is being started still has a copy of the file")
    func copied() throws {
        let lock = try WriterLock(path: home.path)
        let copies = try Self.descriptors(of: home.path + ".lock").map { dup($0) }
        defer { for copy in copies { close(copy) } }
        #expect(copies.count == 1)
        lock.release()
        try WriterLock(path: home.path, within: .zero).release()
    }

    /// The numbers under which this process has a file open.
    private static func descriptors(of path: String) throws -> [Int32] {
        var file = stat()
        try #require(stat(path, &file) == 0)
        return (0..<min(getdtablesize(), 65_536)).filter { number in
            var found = stat()
            return fstat(number, &found) == 0 && found.st_dev == file.st_dev && found.st_ino == file.st_ino
        }
    }
}
