import NIOCore
import Proxy
import Synchronization

/// Content that is in memory already.
final class ReadyBody: SuppliedBody {
    private let rest: Mutex<ByteBuffer>

    init(_ bytes: some Sequence<UInt8>) { rest = Mutex(ByteBuffer(bytes: bytes)) }

    func next(_ give: @escaping @Sendable (Result<ByteBuffer, any Error>) -> Void) {
        give(
            .success(
                rest.withLock { rest in rest.readSlice(length: min(rest.readableBytes, 64 << 10)) ?? ByteBuffer() }
            )
        )
    }
}
