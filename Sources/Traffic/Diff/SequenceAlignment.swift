/// The longest common subsequence of two lists, within bounds.
enum SequenceAlignment {
    /// Comparisons that are made for a stretch at most.
    ///
    /// A longer stretch is divided at elements that stand once in both lists; without such an element it is compared place by place.
    static let workLimit = 4_000_000
    /// Comparisons that are made for two bodies in all; stretches after that are compared place by place.
    static let sumLimit = 4 * workLimit
    /// How often a part of a stretch is divided again.
    private static let depthLimit = 8

    /// One step through both lists.
    enum Step: Equatable {
        /// The same element stands in both.
        case same(left: Int, right: Int)
        /// Different elements stand in the same place.
        case other(left: Int, right: Int)
        case removed(left: Int)
        case added(right: Int)
    }

    /// The steps, in order.
    static func steps(_ left: [Int], _ right: [Int]) -> [Step] {
        var work = sumLimit
        return steps(left, right, &work)
    }

    /// The steps, in order.
    ///
    /// - Parameters:
    ///   - left: one list.
    ///   - right: the other.
    ///   - work: comparisons that may still be made; it is reduced by those that were.
    /// - Returns: the steps.
    static func steps(_ left: [Int], _ right: [Int], _ work: inout Int) -> [Step] {
        var start = 0
        while start < left.count, start < right.count, left[start] == right[start] { start += 1 }
        var tail = 0
        while tail < left.count - start, tail < right.count - start,
            left[left.count - 1 - tail] == right[right.count - 1 - tail]
        {
            tail += 1
        }
        var steps = (0..<start).map { Step.same(left: $0, right: $0) }
        let (leftEnd, rightEnd) = (left.count - tail, right.count - tail)
        let matches = common(left[start..<leftEnd], right[start..<rightEnd], &work)
        var (nextLeft, nextRight) = (start, start)
        for match in matches + [(leftEnd, rightEnd)] {
            gap(nextLeft..<match.0, nextRight..<match.1, into: &steps)
            if match.0 < leftEnd { steps.append(.same(left: match.0, right: match.1)) }
            (nextLeft, nextRight) = (match.0 + 1, match.1 + 1)
        }
        for offset in 0..<tail { steps.append(.same(left: leftEnd + offset, right: rightEnd + offset)) }
        return steps
    }

    /// The steps between two common elements: pairs while both lists have elements, then the rest of one.
    private static func gap(_ left: Range<Int>, _ right: Range<Int>, into steps: inout [Step]) {
        let pairs = min(left.count, right.count)
        for offset in 0..<pairs {
            steps.append(.other(left: left.lowerBound + offset, right: right.lowerBound + offset))
        }
        for index in left.dropFirst(pairs) { steps.append(.removed(left: index)) }
        for index in right.dropFirst(pairs) { steps.append(.added(right: index)) }
    }

    private static func common(
        _ left: ArraySlice<Int>,
        _ right: ArraySlice<Int>,
        _ work: inout Int,
        depth: Int = 0
    ) -> [(Int, Int)] {
        guard !left.isEmpty, !right.isEmpty else { return [] }
        let product = left.count.multipliedReportingOverflow(by: right.count)
        guard !product.overflow, product.partialValue <= min(workLimit, work) else {
            let anchors = depth < depthLimit ? anchors(left, right) : []
            guard !anchors.isEmpty else { return zip(left.indices, right.indices).filter { left[$0] == right[$1] } }
            var matches: [(Int, Int)] = []
            var (nextLeft, nextRight) = (left.startIndex, right.startIndex)
            for (one, other) in anchors {
                matches += common(left[nextLeft..<one], right[nextRight..<other], &work, depth: depth + 1)
                matches.append((one, other))
                (nextLeft, nextRight) = (one + 1, other + 1)
            }
            return matches + common(left[nextLeft...], right[nextRight...], &work, depth: depth + 1)
        }
        work -= product.partialValue
        // lengths[i][j]: the longest common subsequence of what follows i and j.
        let width = right.count + 1
        var lengths = [Int32](repeating: 0, count: (left.count + 1) * width)
        for i in stride(from: left.count - 1, through: 0, by: -1) {
            for j in stride(from: right.count - 1, through: 0, by: -1) {
                let isSame = left[left.startIndex + i] == right[right.startIndex + j]
                lengths[i * width + j] =
                    isSame
                    ? lengths[(i + 1) * width + j + 1] + 1
                    : max(lengths[(i + 1) * width + j], lengths[i * width + j + 1])
            }
        }
        var (i, j) = (0, 0)
        var matches: [(Int, Int)] = []
        while i < left.count, j < right.count {
            if left[left.startIndex + i] == right[right.startIndex + j] {
                matches.append((left.startIndex + i, right.startIndex + j))
                (i, j) = (i + 1, j + 1)
            } else if lengths[(i + 1) * width + j] >= lengths[i * width + j + 1] {
                i += 1
            } else {
                j += 1
            }
        }
        return matches
    }
}
