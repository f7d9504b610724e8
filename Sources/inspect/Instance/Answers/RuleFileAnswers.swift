import Foundation
import NIOCore
import Proxy
import Store
import Traffic

/// Answers with files, with files of directories and with recorded responses, for rules that say so.
struct RuleFileAnswers: RuleContents {
    private let store: TrafficStore
    private let queue = DispatchQueue(label: "inspect.rules", attributes: .concurrent)

    init(_ store: TrafficStore) { self.store = store }

    func content(
        of answer: RenderedAnswer,
        for request: AskedRequest,
        _ give: @escaping @Sendable (RuleContent) -> Void
    ) {
        queue.async {
            do throws(RuleFault) {
                give(try content(of: answer, for: request))
            } catch {
                give(.fault(error))
            }
        }
    }

    private func content(of answer: RenderedAnswer, for request: AskedRequest) throws(RuleFault) -> RuleContent {
        switch answer.content {
        case .bytes(let bytes):
            return .answer(.response(head: answer.head(length: bytes.count), body: ReadyBody(bytes)))
        case .file(let path): return .answer(try self.answer(answer, with: try OpenedFile(path), to: request))
        case .directory(let directory):
            switch try DirectoryFile.find(request.target, in: directory) {
            case .file(let file): return .answer(try self.answer(answer, with: file, to: request))
            case .missing where directory.missing == .upstream: return .upstream
            case .missing: return .answer(absent(answer, "There is no such file."))
            case .outside: return .answer(absent(answer, "The path leads out of the directory that the rule names."))
            }
        case .recording(let id): return .answer(try recorded(id, answer, for: request))
        }
    }

    /// Answers with a file: whole, the part that the request asks for, or that the client has it already.
    private func answer(
        _ answer: RenderedAnswer,
        with file: OpenedFile,
        to request: AskedRequest
    ) throws(RuleFault) -> SuppliedAnswer {
        let whole = answer.with(status: answer.status, fields: file.fields)
        let asked = MockRequest(request)
        let list = HeaderList(head: whole.head(length: 0))
        guard answer.status == 200, ["GET", "HEAD"].contains(request.method) else {
            return .response(head: whole.head(length: file.length), body: FileBody(file, 0..<file.length, queue: queue))
        }
        if asked.hasCurrent(list) {
            return .response(head: whole.with(status: 304, fields: []).head(length: nil), body: nil)
        }
        switch asked.range(of: list)?.part(of: Int64(file.length)) ?? .whole {
        case .whole:
            return .response(head: whole.head(length: file.length), body: FileBody(file, 0..<file.length, queue: queue))
        case .bytes(let bytes):
            let range = Int(bytes.lowerBound)..<Int(bytes.upperBound)
            let field = HeaderList.Field(
                name: "Content-Range",
                value: "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.length)"
            )
            let part = whole.with(status: 206, fields: [field])
            return .response(head: part.head(length: range.count), body: FileBody(file, range, queue: queue))
        case .outside:
            let field = HeaderList.Field(name: "Content-Range", value: "bytes */\(file.length)")
            return .response(head: whole.with(status: 416, fields: [field]).head(length: 0), body: nil)
        }
    }

    private func absent(_ answer: RenderedAnswer, _ sentence: String) -> SuppliedAnswer {
        let type = HeaderList.Field(name: "Content-Type", value: "text/plain; charset=utf-8")
        let text = Array("404 Not Found. \(sentence)\n".utf8)
        let head = answer.with(status: 404, fields: [type]).head(length: text.count)
        return .response(head: head, body: ReadyBody(text))
    }

    /// Gives a recorded response again, with the fields that the rule adds.
    private func recorded(
        _ id: ExchangeID,
        _ answer: RenderedAnswer,
        for request: AskedRequest
    ) throws(RuleFault) -> SuppliedAnswer {
        guard let exchange = try? store.exchange(id) else { throw RuleFault("the store has no exchange \(id)") }
        guard let response = exchange.response, let code = exchange.code, code >= 200, exchange.outcome == .completed
        else { throw RuleFault("exchange \(id) has no whole response") }
        guard !response.body.isTruncated else {
            throw RuleFault("only a part of the body of exchange \(id) was kept")
        }
        guard exchange.method != "HEAD" || request.method == "HEAD" else {
            throw RuleFault("exchange \(id) answered a HEAD request and has no body")
        }
        let hasNone = code == 204 || code == 304 || exchange.method == "HEAD"
        var head = RecordedHead.again(
            response,
            code: code,
            length: hasNone ? nil : Int(response.body.kept),
            isDecoded: response.body.archived != nil
        )
        head.moveWriterIndex(to: head.writerIndex - 2)
        for field in answer.fields { head.writeString("\(field.name): \(field.value)\r\n") }
        head.writeString("\r\n")
        if let problem = SuppliedAnswer.problem(of: head, answering: request.method) {
            throw RuleFault("the head of exchange \(id) is not HTTP: \(problem)")
        }
        return .response(
            head: head,
            body: hasNone ? nil : RecordedBody(store, id, 0..<response.body.kept, queue: queue)
        )
    }
}
