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
}
