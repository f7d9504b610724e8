import Dispatch
import Foundation
import Support
import Testing
import Traffic

@Suite("The lock of a file", .timeLimit(.minutes(15)))
struct FileLockTests {
    /// Held by the suite, so that the file outlives the test.
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = try directory.write("", to: "lock")
    }

    private func withFile(_ body: (Int32) throws -> Void) throws {
        let file = open(path, O_RDWR | O_CLOEXEC)
        try #require(file >= 0)
        defer { close(file) }
        try body(file)
    }

    @Test("A lock that another holds is not taken, and is taken once it is given back")
    func held() throws {
        try withFile { mine in
            try withFile { other in
                try FileLock.take(other, within: .zero)
                #expect(throws: FileLock.Failure.held) { try FileLock.take(mine, within: .zero) }
                #expect(throws: FileLock.Failure.held) { try FileLock.take(mine, within: .milliseconds(5)) }
                DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(20)) { flock(other, LOCK_UN) }
                try FileLock.take(mine, within: Patience.stretched(.seconds(10)))
                #expect(throws: FileLock.Failure.held) { try FileLock.take(other, within: .zero) }
            }
        }
    }

    @Test("What is not open is refused at once, whatever the limit")
    func closed() {
        #expect(throws: FileLock.Failure.refused(errno: EBADF)) { try FileLock.take(-1, within: .seconds(3_600)) }
    }
}
