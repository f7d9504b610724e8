import Hummingbird

/// What Hummingbird hands along with a request: besides its own, who is asking.
package struct FacilityRequestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The client's address without its port.
    let remoteAddress: String

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        remoteAddress = source.channel.remoteAddress?.ipAddress ?? "local"
    }
}
