import Foundation
import Hummingbird
import NIOCore
import Traffic

/// The context of a request: its connection, whose own port the Host field must name.
struct WebContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    /// The port that the connection came in on; `nil` when the system does not tell.
    var localPort: Int? { channel.localAddress?.port }

    /// A part of the path by its name, decoded; empty where the percent-encoding cannot be read.
    func text(_ name: String) -> String { parameters.get(name).flatMap(PercentCoding.wholeText) ?? "" }
}
