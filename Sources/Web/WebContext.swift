import Foundation
import Hummingbird
import NIOCore
import Traffic

/// What a handler knows of its request beside the request: the connection, whose own port the Host field must name.
struct WebContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    /// The port the connection came in on; `nil` when the system does not tell.
    var localPort: Int? { channel.localAddress?.port }

    /// A part of the path by its name, decoded; empty where its percent encoding cannot be read.
    func text(_ name: String) -> String { parameters.get(name).flatMap(PercentCoding.wholeText) ?? "" }
}
