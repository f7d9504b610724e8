import Hummingbird
import NIOCore
import NIOHTTP1
import Store
import Traffic

/// The answer to a request that fails: a status and one sentence, which may quote the value that is at fault, such as a query text.
struct WebFailure: Error {
    let status: HTTPResponse.Status
    let sentence: String
    /// The place of the mistake in a query text, in characters from 1.
    let column: Int?
    /// What lets a refused replay be sent, for the page to put in words.
    let wayOut: ReplayError.WayOut?

    init(
        _ status: HTTPResponse.Status,
        _ sentence: String,
        column: Int? = nil,
        wayOut: ReplayError.WayOut? = nil
    ) {
        self.status = status
        self.sentence = sentence
        self.column = column
        self.wayOut = wayOut
    }

    /// The error that an answer gives for one of reading a request's body: the client's fault where the body broke off, else the error itself.
    static func ofBody(_ error: any Error) -> any Error {
        switch error {
        case is HTTPParserError, is IOError, is ChannelError:
            WebFailure(.badRequest, "The request's body broke off, or cannot be read.")
        default: error
        }
    }

    /// The failure that an answer gives for a handler's error; an unforeseen error says only that it happened.
    init(_ error: any Error) {
        switch error {
        case let failure as WebFailure: self = failure
        case let error as FilterError: self.init(.badRequest, error.description, column: error.column)
        case let error as ReplayError: self.init(.badGateway, error.description, wayOut: error.wayOut)
        case is CancellationError:
            self.init(.serviceUnavailable, "The request was given up before it was answered.")
        case let error as StoreError: self.init(.internalServerError, error.description)
        case let error as HTTPError where error.status == .notFound:
            self.init(.notFound, "There is nothing at this address.")
        case let error as any HTTPResponseError where error.status == .contentTooLarge:
            self.init(.contentTooLarge, "The request's body is larger than this address takes.")
        case let error as HTTPError where error.status.kind == .clientError:
            self.init(error.status, "The request cannot be read.")
        default: self.init(.internalServerError, "Something went wrong inside inspect; its log says what.")
        }
    }
}
