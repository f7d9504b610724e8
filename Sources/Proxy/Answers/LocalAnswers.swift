import NIOCore
import Synchronization
import Traffic

/// Answers one request with a page of our own, or refuses it as addressed to ourselves.
struct LocalAnswers: AnswerSource {
    let pages: LocalPages
    /// Where the client reaches us.
    let proxy: Endpoint
    let isDecrypted: Bool
    let isProxied: Bool

    func answer(_ request: AskedRequest, _ give: @escaping @Sendable (SuppliedAnswer) -> Void) {
        guard ["GET", "HEAD"].contains(request.method), !request.asksForWebSocket, let page = page(request.target)
        else {
            give(.failure(LocalAnswers.refusal))
            return
        }
        let body = request.method == "HEAD" || page.content.isEmpty ? nil : LocalBody(page.content)
        give(.response(head: LocalAnswers.head(page), body: body))
    }

    /// The page of a target in origin-form.
    func page(_ target: some StringProtocol) -> LocalPage? {
        let path = target.prefix { $0 != "?" && $0 != "#" }
        return pages.page(
            LocalPageRequest(path: String(path), isDecrypted: isDecrypted, proxy: proxy, isProxied: isProxied)
        )
    }

    /// Why there is no page.
    static let refusal = ExchangeFailure(
        side: .proxy,
        phase: .request,
        cause: .loop,
        message:
            "This is the inspect proxy itself, which was asked for a page that it does not have; set it as the proxy of a client, or open its page / to be told how.",
        retry: true
    )

    private static func head(_ page: LocalPage) -> ByteBuffer {
        var lines = [
            "HTTP/1.1 200 OK", "Content-Type: \(page.mediaType)", "Content-Length: \(page.content.count)",
            "Content-Security-Policy: \(page.policy)", "X-Content-Type-Options: nosniff",
            "Referrer-Policy: no-referrer",
            "Cache-Control: no-store",
        ]
        if let name = page.fileName { lines.append("Content-Disposition: attachment; filename=\"\(name)\"") }
        return ByteBuffer(string: lines.joined(separator: "\r\n") + "\r\n\r\n")
    }
}

/// A page's content, given whole.
private final class LocalBody: SuppliedBody {
    private let rest: Mutex<ByteBuffer?>

    init(_ content: [UInt8]) { rest = Mutex(ByteBuffer(bytes: content)) }

    func next(_ give: @escaping @Sendable (Result<ByteBuffer, any Error>) -> Void) {
        give(.success(rest.withLock { $0.take() } ?? ByteBuffer()))
    }
}
