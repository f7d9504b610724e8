import Foundation
import NIOCore
import Proxy
import Store
import Traffic

/// Answers with files, with files of directories and with recorded responses, for rules that say so.
struct RuleFileAnswers: RuleContents {
    /// What a rule's content comes to for one request.
    enum Found {
        case answer(GivenAnswer)
        /// There is no such file, and the rule sends such requests to the upstream.
        case upstream
    }

    private let store: TrafficStore
    private let queue = DispatchQueue(label: "inspect.rules", attributes: .concurrent)

    init(_ store: TrafficStore) { self.store = store }

    func content(
        of answer: RenderedAnswer,
        for request: AskedRequest,
        _ give: @escaping @Sendable (RuleContent) -> Void
    ) {
        queue.async {
            let asked = ContentRequest(method: request.method, fields: request.fields)
            do throws(RuleFault) {
                switch try find(answer, for: asked, target: request.target) {
                case .upstream: give(.upstream)
                case .answer(let found):
                    let body = found.content.map { PlacedBody($0, queue: queue) }
                    give(.answer(.response(head: found.head, body: body)))
                }
            } catch {
                give(.fault(error))
            }
        }
    }

    /// What a rule answers a request with; files are opened, and nothing is read of their content.
    ///
    /// - Parameters:
    ///   - answer: the rule's answer.
    ///   - request: the request.
    ///   - target: its target, in origin-form.
    /// - Returns: the answer.
    /// - Throws: `RuleFault` when it cannot be given.
    func find(_ answer: RenderedAnswer, for request: ContentRequest, target: String) throws(RuleFault) -> Found {
        switch answer.content {
        case .bytes(let bytes): return .answer(whole(answer, bytes, to: request))
        case .file(let path): return .answer(self.answer(answer, with: try OpenedFile(path), to: request))
        case .directory(let directory):
            switch try DirectoryFile.find(target, in: directory) {
            case .file(let file): return .answer(self.answer(answer, with: file, to: request))
            case .missing where directory.missing == .upstream: return .upstream
            case .missing: return .answer(absent(answer, "There is no such file.", to: request))
            case .outside:
                return .answer(absent(answer, "The path leads out of the directory that the rule names.", to: request))
            }
        case .recording(let id): return .answer(try recorded(id, answer, for: request))
        }
    }

    /// Answers with a file: whole, the part that the request asks for, or that the client has it already.
    private func answer(_ answer: RenderedAnswer, with file: OpenedFile, to request: ContentRequest) -> GivenAnswer {
        let whole = answer.with(status: answer.status, fields: file.fields)
        let isPlain = answer.status == 200 && ["GET", "HEAD"].contains(request.method)
        let list = HeaderList(head: whole.head(length: 0))
        if isPlain, request.hasCurrent(list) {
            return GivenAnswer(head: whole.with(status: 304, fields: []).head(length: nil), code: 304, content: nil)
        }
        let part = ContentPart(
            isPlain ? request.range(of: list) : nil,
            of: Int64(file.length),
            code: answer.status
        )
        let range = part.range.map { [HeaderList.Field(name: "Content-Range", value: $0)] } ?? []
        let head = whole.with(status: part.code, fields: range).head(length: part.bytes.count)
        let content = PlacedContent(part.bytes) { offset, limit in try file.read(at: Int(offset), count: limit) }
        return GivenAnswer(head: head, code: part.code, content: part.bytes.isEmpty ? nil : content)
    }

    private func absent(_ answer: RenderedAnswer, _ sentence: String, to request: ContentRequest) -> GivenAnswer {
        let type = HeaderList.Field(name: "Content-Type", value: "text/plain; charset=utf-8")
        let text = Array("404 Not Found. \(sentence)\n".utf8)
        return whole(answer.with(status: 404, fields: [type]), text, to: request)
    }

    private func whole(_ answer: RenderedAnswer, _ bytes: [UInt8], to request: ContentRequest) -> GivenAnswer {
        let content = PlacedContent(0..<Int64(bytes.count)) { offset, limit in
            Array(bytes.dropFirst(Int(offset)).prefix(limit))
        }
        return GivenAnswer(head: answer.head(length: bytes.count), code: answer.status, content: content)
    }

    /// Whether a client has the version of which a recorded 304 speaks.
    private static func isCurrent(_ exchange: Exchange, for request: ContentRequest) -> Bool {
        guard request.isConditional, let response = exchange.response else { return false }
        if request.hasCurrent(response.fields) { return true }
        // A 304 need not name the version: then it answers those who ask as the recorded client did.
        let recorded = exchange.request.fields
        return request.fields.first("if-none-match") == recorded.first("if-none-match")
            && request.fields.first("if-modified-since") == recorded.first("if-modified-since")
    }

    /// Why a response that answers some requests alone does not answer this one; `nil` where it does.
    private static func lack(of exchange: Exchange, _ code: Int, for request: ContentRequest) -> String? {
        switch code {
        case 304 where !isCurrent(exchange, for: request):
            return "is a 304, for a client that has the content already; it is not in the recording"
        case 206, 416:
            let (range, version) = (exchange.request.fields.first("range"), request.fields.first("if-range"))
            guard let range, request.fields.first("range") == range else {
                return "holds only a part of the content, for another range"
            }
            // Parts of two versions do not fit together (RFC 9110 §13.1.5).
            let own = exchange.response.map { [$0.fields.first("etag"), $0.fields.first("last-modified")] } ?? []
            return version == nil || own.contains(version)
                ? nil : "holds only a part of the content, of another version"
        default: return nil
        }
    }

    /// Gives a recorded response again, with the status that the rule names and its fields in the place of the recorded ones.
    private func recorded(
        _ id: ExchangeID,
        _ answer: RenderedAnswer,
        for request: ContentRequest
    ) throws(RuleFault) -> GivenAnswer {
        guard let exchange = try? store.exchange(id) else { throw RuleFault("the store has no exchange \(id)") }
        guard var response = exchange.response, let code = exchange.code, code >= 200, exchange.outcome == .completed
        else { throw RuleFault("exchange \(id) has no whole response") }
        guard !response.body.isTruncated else {
            throw RuleFault("only a part of the body of exchange \(id) was kept")
        }
        guard exchange.method != "HEAD" || request.method == "HEAD" else {
            throw RuleFault("exchange \(id) answered a HEAD request and has no body")
        }
        if !answer.namesStatus, let reason = Self.lack(of: exchange, code, for: request) {
            throw RuleFault("exchange \(id) \(reason)")
        }
        response.head = answer.over(response.head)
        let content = RecordedContent(
            store: store,
            exchange: exchange,
            response: response,
            code: answer.namesStatus ? answer.status : code,
            givenFields: Set(answer.fields.map { ASCII.lower($0.name) })
        )
        let found: GivenAnswer
        do { found = try content.answer(to: request) } catch {
            let sentence = (error as? RecordedContent.Refusal)?.sentence ?? error.told
            throw RuleFault("exchange \(id) cannot be given: \(sentence)")
        }
        if let problem = SuppliedAnswer.problem(of: found.head, answering: request.method) {
            throw RuleFault("the head of exchange \(id) is not HTTP: \(problem)")
        }
        return found
    }
}
