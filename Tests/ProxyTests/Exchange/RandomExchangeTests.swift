import NIOCore
import Testing

@testable import Proxy

struct RandomExchangeTests {
    private static let methods = ["GET", "POST", "HEAD", "PUT", ""]

    /// Some fact, whether it makes sense now or not.
    private func fact(_ random: inout SeededGenerator) -> Fact {
        let causes = ["closed", "reset", "timeout", "malformed"]
        switch Int.random(in: 0..<15, using: &random) {
        case 0: return .request
        case 1: return .requestBody("q")
        case 2: return .requestEnd
        case 3: return .upstreamReady(isReused: Bool.random(using: &random))
        case 4: return .upstreamUnavailable(Playbook.failure("refused", phase: .connect))
        case 5: return .interim(103)
        case 6: return .response(200)
        case 7, 8: return .responseBody("s")
        case 9: return .responseEnd
        case 10: return .responsePaused
        case 11: return .upstreamBroken(causes.randomElement(using: &random) ?? "closed")
        case 12: return .refused(Playbook.failure("malformed", side: .client, phase: .request))
        case 13: return .clientLeft
        default: return .recorded
        }
    }

    @Test("Whatever happens, an exchange is recorded once and nothing is delivered after its end", arguments: 0..<40)
    func anyFacts(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<500 {
            var play = Playbook(Self.methods.randomElement(using: &random) ?? "", interimLimitCount: 3)
            var told: [Fact] = []
            var effects: [String] = []
            for _ in 0..<Int.random(in: 1..<25, using: &random) {
                let next = fact(&random)
                told.append(next)
                effects += play.tell(next)
            }
            for last in [Fact.clientLeft, .recorded, .recorded] {
                told.append(last)
                effects += play.tell(last)
            }
            let broken = faults(in: effects)
            #expect(broken.isEmpty && play.machine.isOver, "\(broken) in \(effects) after \(told)")
            if !broken.isEmpty { return }
        }
    }

    /// The rules that effects break.
    private func faults(in effects: [String]) -> [String] {
        var found: [String] = []
        let records = effects.indices.filter { effects[$0].hasPrefix("record ") }
        let ends = effects.indices.filter { effects[$0].hasPrefix("finish") || effects[$0] == "break client" }
        if records.count != 1 { found.append("recorded \(records.count) times") }
        if ends.count != 1 { found.append("ended \(ends.count) times") }
        if let end = ends.first, let record = records.first {
            if record > end { found.append("ended before the record") }
            // A connection that comes too late is given back, which is all that may happen then.
            if effects[(end + 1)...].contains(where: { $0 != "release upstream" }) {
                found.append("went on after the end")
            }
        }
        let heads = effects.indices.filter {
            Int(effects[$0].dropFirst("deliver ".count)) != nil && effects[$0].hasPrefix("deliver ")
        }
        let answers = effects.count { $0.hasPrefix("deliver answer") }
        if heads.count + answers > 1 { found.append("delivered two responses") }
        let content = effects.firstIndex { $0.hasPrefix("deliver body") || $0.hasPrefix("deliver end") }
        if let content, (heads.first ?? .max) > content { found.append("delivered content before a head") }
        if let record = records.first, effects[record] == "record completed", effects.contains("break client") {
            found.append("broke a completed exchange")
        }
        if effects.count(where: { $0 == "connect afresh" }) > 1 { found.append("sent again twice") }
        return found
    }
}
