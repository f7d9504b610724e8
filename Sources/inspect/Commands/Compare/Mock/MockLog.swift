import Foundation
import Synchronization
import Traffic

/// Prints what became of each request, a line for an answer and several for a miss.
final class MockLog: Sendable {
    private let isBroken = Mutex(false)

    /// Prints one request; once nobody reads any more, nothing.
    func tell(_ news: RecordedAnswers.News) {
        let text = MockLog.lines(news).map { VisibleText.line($0) + "\n" }.joined()
        isBroken.withLock { isBroken in
            guard !isBroken else { return }
            do {
                try Console.write(Array(text.utf8), to: STDOUT_FILENO)
            } catch {
                isBroken = true
            }
        }
    }

    /// The lines, not yet escaped.
    static func lines(_ news: RecordedAnswers.News) -> [String] {
        switch news {
        case .answered(let request, let recording, let code):
            ["\(code)   \(request.shape.method) \(request.authority)\(request.target)  from \(recording.id)"]
        case .failed(let request, let recording, let message):
            ["fail  \(request.shape.method) \(request.authority)\(request.target)  from \(recording.id): \(message)"]
        case .missed(let explanation):
            ["miss  \(explanation.lines.first ?? "")"] + explanation.lines.dropFirst().map { "      \($0)" }
        }
    }
}
