/// How much of each ignored path has been followed on the way down a JSON value.
struct NoiseTrail {
    private let paths: [JSONPath]
    /// A path and how many of its steps were taken.
    private var marks: [(path: Int, taken: Int)]

    /// A trail at the top of a value.
    init(_ paths: [JSONPath]) {
        self.paths = paths
        marks = paths.indices.map { ($0, 0) }
    }

    /// Whether nothing below can be ignored.
    var isOver: Bool { marks.isEmpty }

    /// The outcome of a step down.
    enum Step {
        case goesOn(NoiseTrail)
        /// This path ends here: everything below is noise.
        case ends(JSONPath)
    }

    /// The step to a member.
    func member(_ name: String) -> Step {
        step {
            $0 == .name(name) || $0 == .any
        } below: {
            $0 == name
        }
    }

    /// The step to an element of a list of so many.
    func element(_ index: Int, of count: Int) -> Step {
        step {
            $0 == .index(index) || $0 == .index(index - count) || $0 == .any
        } below: { _ in
            false
        }
    }

    private func step(_ fits: (JSONPath.Step) -> Bool, below isNamed: (String) -> Bool) -> Step {
        guard !marks.isEmpty else { return .goesOn(self) }
        var next = self
        next.marks.removeAll(keepingCapacity: true)
        for mark in marks {
            let steps = paths[mark.path].steps
            let step = steps[mark.taken]
            var isTaken = fits(step)
            if case .below(let name) = step {
                next.marks.append(mark)
                isTaken = isNamed(name)
            }
            guard isTaken else { continue }
            if mark.taken + 1 == steps.count { return .ends(paths[mark.path]) }
            next.marks.append((mark.path, mark.taken + 1))
        }
        return .goesOn(next)
    }
}
