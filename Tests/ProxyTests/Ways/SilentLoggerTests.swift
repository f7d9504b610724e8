import Logging
import Testing

@testable import Proxy

@Suite(.timeLimit(.minutes(15))) struct SilentLoggerTests {
    @Test("A silent logger hands not even a critical line to anything that writes")
    func silence() {
        #expect(Logger.silent.handler is SwiftLogNoOpLogHandler)
    }
}
