import Synchronization

/// What the page says of the running proxy now; a reload may bring another root or another login.
package final class CurrentInformation: Sendable {
    private let value: Mutex<InstanceInformation>

    package init(_ information: InstanceInformation) { value = Mutex(information) }

    package var now: InstanceInformation { value.withLock { $0 } }

    /// Replaces the information from now on.
    package func become(_ information: InstanceInformation) { value.withLock { $0 = information } }
}
