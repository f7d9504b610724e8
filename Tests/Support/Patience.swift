import Foundation

/// How much longer than on a quiet machine a test waits for what has to come.
///
/// Every wait of the tests that is to succeed is multiplied by this one factor, so that a slow machine gives the same answer as a fast one, only
/// later; a test that is green waits no longer for it. A wait that is to pass (`Watched.stays`, `Watched.settled`) is not multiplied.
package enum Patience {
    /// `INSPECT_PATIENCE` where it is set, else 6 in CI and 1 elsewhere.
    package static let factor: Int = {
        let environment = ProcessInfo.processInfo.environment
        let given = environment["INSPECT_PATIENCE"].flatMap { Int($0) }
        return max(1, given ?? (environment["CI"] == nil ? 1 : 6))
    }()

    /// A limit as long as this machine may need.
    package static func stretched(_ limit: Duration) -> Duration { limit * factor }

    /// A number of seconds for the deadline of a program or a script, as long as this machine may need.
    package static func seconds(_ count: Int) -> Int { count * factor }
}
