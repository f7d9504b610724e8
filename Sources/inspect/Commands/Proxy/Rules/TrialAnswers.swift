import NIOCore
import Store
import Traffic

/// What rules would have answered recorded requests with, for a dry run: files as they are now, and responses as they were recorded.
struct TrialAnswers {
    private let answers: RuleFileAnswers
    /// Whether the store is an archive's, so that its numbers are not those that rules name.
    private let isArchive: Bool

    init(_ store: TrafficStore, isArchive: Bool) { (answers, self.isArchive) = (RuleFileAnswers(store), isArchive) }

    /// Looks for the content of an answer; of a body nothing is read before a rule asks about it.
    ///
    /// - Throws: `StoreError`, and `RuleFault` when the answer could not be given.
    func content(of answer: RenderedAnswer, for subject: any FilterSubject) throws -> TriedContent {
        if isArchive, case .recording(let id) = answer.content {
            return .unknown("exchange \(id) is one of the store, and not of this archive")
        }
        let summary = subject.summary
        let fields = try subject.message(.request)?.fields ?? HeaderList(head: ByteBuffer())
        let request = ContentRequest(method: summary.method, fields: fields)
        switch try answers.find(answer, for: request, target: summary.target) {
        case .upstream: return .upstream
        case .answer(let found):
            let content = summary.method == "HEAD" ? nil : found.content
            return .response(
                TriedContent.Response(head: found.head, code: found.code, length: Int64(content?.range.count ?? 0)) {
                    try content?.bytes(at: $0, limitBytes: $1) ?? []
                }
            )
        }
    }
}
