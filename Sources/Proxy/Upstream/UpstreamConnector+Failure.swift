import NIOCore
import NIOPosix
import Traffic

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Why a dial failed, in words for the record and for the client.
extension UpstreamConnector {
    /// The failure of a client that may not go there; `what` is a sentence without its full stop that says why.
    static func notAllowed(_ what: String) -> ExchangeFailure {
        ExchangeFailure(
            side: .client,
            phase: .connect,
            cause: .notAllowed,
            message: "\(what); whoever runs the proxy can allow it.",
            retry: true
        )
    }

    /// The failure of a dial where requests are answered from recordings.
    static func offlineFailure(_ endpoint: Endpoint) -> ExchangeFailure {
        ExchangeFailure(
            side: .proxy,
            phase: .connect,
            cause: .offline,
            message:
                "Nothing is connected to from here, so not \(endpoint) either: requests are answered from recordings.",
            retry: false
        )
    }

    /// The failure of a dial that would lead to our own listener.
    static func loopFailure(_ endpoint: Endpoint) -> ExchangeFailure {
        ExchangeFailure(
            side: .proxy,
            phase: .connect,
            cause: .loop,
            message: "\(endpoint) is this proxy itself, which does not connect to its own listeners.",
            retry: true
        )
    }

    /// The failure for an error of a dial.
    static func failure(_ error: any Error, _ endpoint: Endpoint) -> ExchangeFailure {
        failure(error, endpoint, .zero)
    }

    /// The failure for an error of a dial that might take `timeout`.
    static func failure(_ error: any Error, _ endpoint: Endpoint, _ timeout: TimeAmount) -> ExchangeFailure {
        switch error {
        case let failure as ExchangeFailure: return failure
        case let full as UpstreamCount.Full: return fullFailure(endpoint, full)
        case ChannelError.connectTimeout: return timedOut(endpoint, timeout)
        case let error as IOError: return failure(error, endpoint)
        case let error as NIOConnectionError:
            // An address that was not tried for want of a place says nothing of the upstream.
            let errors = error.connectionErrors.map(\.error)
            if let first = errors.first(where: { !($0 is UpstreamCount.Full) }) ?? errors.first {
                return failure(first, endpoint, timeout)
            }
            return ExchangeFailure(
                side: .upstream,
                phase: .dns,
                cause: .unknownName,
                message: "The name \(endpoint.host) has no address.",
                retry: true
            )
        default:
            return ExchangeFailure(
                side: .upstream,
                phase: .connect,
                cause: .connect,
                message: "Connecting to \(endpoint) failed: \(error).",
                retry: true
            )
        }
    }

    /// The failure of a dial that found no place among the upstream connections.
    private static func fullFailure(_ endpoint: Endpoint, _ full: UpstreamCount.Full) -> ExchangeFailure {
        ExchangeFailure(
            side: .proxy,
            phase: .connect,
            cause: .noDescriptors,
            message:
                "\(endpoint) was not connected to: all upstream connections that this proxy may have open at once are in use (\(full.limitCount), as far as the system allows it files).",
            retry: true
        )
    }

    private static func timedOut(_ endpoint: Endpoint, _ timeout: TimeAmount) -> ExchangeFailure {
        ExchangeFailure(
            side: .upstream,
            phase: .connect,
            cause: .timeout,
            message: "\(endpoint) did not accept a connection within \(timeout.text).",
            retry: true
        )
    }

    private static func failure(_ error: IOError, _ endpoint: Endpoint) -> ExchangeFailure {
        let (cause, what): (Cause, String) =
            switch error.errnoCode {
            case ECONNREFUSED: (.refused, "refused the connection")
            case ETIMEDOUT: (.timeout, "did not accept a connection in time")
            case EHOSTUNREACH, ENETUNREACH: (.unreachable, "cannot be reached from here")
            case ECONNRESET: (.reset, "reset the connection")
            case EMFILE, ENFILE: (.noDescriptors, "cannot be connected to: this machine has no file descriptors left")
            default: (.connect, "could not be connected to (\(error.errnoCode))")
            }
        return ExchangeFailure(
            side: .upstream,
            phase: .connect,
            cause: cause,
            message: "\(endpoint) \(what).",
            retry: true
        )
    }
}

extension TimeAmount {
    /// Whole microseconds.
    var microseconds: Int64 { nanoseconds / 1_000 }

    /// For a person: `10 s`, or `300 ms` where it is not whole seconds.
    var text: String {
        nanoseconds % 1_000_000_000 == 0 ? "\(nanoseconds / 1_000_000_000) s" : "\(nanoseconds / 1_000_000) ms"
    }
}
