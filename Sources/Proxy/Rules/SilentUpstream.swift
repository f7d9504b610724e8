import NIOCore
import NIOHTTP2

/// What stands for the upstream of a request that a rule leaves without an answer: it takes everything, keeps nothing and says nothing.
final class SilentUpstream: Upstream {
    let isReused = false
    let isStream = false
    let streamID: Int? = nil
    let mayLeaveEndUnsaid = false
    let isWritable = true

    func sendHead(of exchange: ExchangeShell) {}
    func send(_ content: ByteBuffer) {}
    func sendEnd(_ trailers: ByteBuffer?) {}
    func endOutput() {}
    func flush() {}
    func resumeRead() {}
    func release(from exchange: ExchangeShell) {}
    func drop(_ code: HTTP2ErrorCode) {}
    func isNear(_ listeners: OwnListeners) -> Bool { false }
    func look(_ progress: inout SocketProgress, _ now: NIODeadline) {}
    func wasSilent(since: NIODeadline) {}
}
