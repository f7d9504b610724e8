/// Which rules apply, said once more and in another way: whole exchanges, no phases, no index.
struct RuleModel {
    struct Line {
        enum Kind: CaseIterable { case edit, answer, block, change, both }
        var name: String
        var condition: RandomCondition
        var kind: Kind
        var stops: Bool
        var times = Int.max
        var skip = 0
        var every = 1
        private(set) var matches = 0
        /// How often it applied.
        private(set) var hits = 0

        init(name: String, condition: RandomCondition, kind: Kind, stops: Bool) {
            (self.name, self.condition, self.kind, self.stops) = (name, condition, kind, stops)
        }

        /// Counts that it held, and says whether it applies.
        mutating func draw() -> Bool {
            matches += 1
            let applies = matches > skip && (matches - skip) % every == 0 && hits < times
            if applies { hits += 1 }
            return applies
        }
    }

    /// The rules that apply to the request, the one that answers it, and those that apply to the response.
    struct Outcome: Equatable {
        var request: [String] = []
        var final: String?
        var response: [String] = []
    }

    var lines: [Line]

    mutating func outcome(_ facts: RandomFacts) -> Outcome {
        var (drawn, edits, final, end): ([Int: Bool], [Int], Int?, Int) = ([:], [], nil, lines.count)
        func draw(_ index: Int, _ lines: inout [Line]) -> Bool {
            let applies = drawn[index] ?? lines[index].draw()
            drawn[index] = applies
            return applies
        }
        for (index, line) in lines.enumerated() where index < end && !line.condition.asksOfResponse {
            guard line.condition.holds(facts) else { continue }
            switch line.kind {
            case .answer, .block:
                guard final == nil, draw(index, &lines) else { continue }
                final = index
                if line.stops { end = index }
            // Nobody changes a request that is answered, and who does nothing ends nothing.
            case .edit where final != nil, .both where final != nil: break
            case .edit, .both, .change:
                if line.kind != .change { edits.append(index) }
                if line.stops, draw(index, &lines) { end = index }
            }
        }
        var outcome = Outcome(final: final.map { lines[$0].name })
        if final == nil { outcome.request = edits.filter { draw($0, &lines) }.map { lines[$0].name } }
        guard final.map({ lines[$0].kind == .answer }) ?? true else { return outcome }
        let seen = final == nil ? facts : facts.answered
        for index in lines.indices where index <= end && [.change, .both].contains(lines[index].kind) {
            guard lines[index].condition.holds(seen), draw(index, &lines) else { continue }
            outcome.response.append(lines[index].name)
            // The others that stop have done so with the request.
            let isFirstDone = lines[index].condition.asksOfResponse || lines[index].kind == .both && final != nil
            if lines[index].stops, isFirstDone { end = index }
        }
        return outcome
    }
}
