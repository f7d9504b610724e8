import Testing

@testable import Traffic

@Suite("Two lists are aligned by what stands in both", .timeLimit(.minutes(15)))
struct SequenceAlignmentTests {
    @Test("Of 35,000 elements some removed and added here and there are told as that, and no others")
    func long() {
        let left = Array(0..<35_000)
        var right = left.filter { !$0.isMultiple(of: 1_000) }
        right.insert(-1, at: 20_000)
        let steps = SequenceAlignment.steps(left, right)
        let removed = steps.compactMap { if case .removed(let index) = $0 { index } else { nil } }
        let added = steps.filter { if case .added = $0 { true } else { false } }
        #expect(removed == (0..<35).map { $0 * 1_000 } && added == [.added(right: 20_000)])
        #expect(steps.count == 35_001)
    }

    @Test(
        "Whatever the lists, each place of both stands in one step, in order, and what is said to be the same is",
        arguments: [
            ((0..<5_000).map { $0 }, (0..<5_000).reversed().map { $0 }),
            ((0..<5_000).map { $0 % 7 }, (0..<4_000).map { $0 % 5 }),
            ((0..<5_000).map { $0 % 2_500 }, (0..<5_000).map { ($0 + 1) % 3_000 }), ([], Array(0..<10)),
        ]
    )
    func whole(left: [Int], right: [Int]) {
        var (lefts, rights): ([Int], [Int]) = ([], [])
        for step in SequenceAlignment.steps(left, right) {
            switch step {
            case .same(let one, let other):
                #expect(left[one] == right[other])
                lefts.append(one)
                rights.append(other)
            case .other(let one, let other):
                lefts.append(one)
                rights.append(other)
            case .removed(let one): lefts.append(one)
            case .added(let other): rights.append(other)
            }
        }
        #expect(lefts == Array(left.indices) && rights == Array(right.indices))
    }

    @Test(
        "Steps through two lists keep what is common",
        arguments: [([], []), ([1, 2, 3], [1, 3]), ([1, 1, 2], [2, 1, 1])]
    )
    func steps(left: [Int], right: [Int]) {
        let steps = SequenceAlignment.steps(left, right)
        let lefts = steps.compactMap { step -> Int? in
            switch step {
            case .same(let left, _), .other(let left, _), .removed(let left): left
            case .added: nil
            }
        }
        #expect(lefts == Array(left.indices))
        #expect(
            steps.filter { if case .same(let one, let other) = $0 { left[one] != right[other] } else { false } }.isEmpty
        )
        #expect(steps.contains { if case .same = $0 { true } else { false } } == !left.isEmpty)
    }

    @Test("All stretches together are compared no more often than is allowed, and every place still stands in a step")
    func bounded() {
        // Twenty stretches of 60 by 60, with something between them that stands once.
        var (left, right): ([Int], [Int]) = ([], [])
        for stretch in 1_000..<1_020 {
            left.append(stretch)
            right.append(stretch)
            for place in 0..<60 {
                left.append(place % 7)
                right.append((place * 3 + 1) % 5)
            }
        }
        var ample = 1_000_000
        let whole = SequenceAlignment.steps(left, right, &ample)
        // A stretch that fits in what is left is compared; the others are not.
        var work = 10_000
        let steps = SequenceAlignment.steps(left, right, &work)
        #expect((0..<3_600).contains(work))
        func same(_ steps: [SequenceAlignment.Step]) -> Int {
            steps.count { if case .same(let one, let other) = $0 { left[one] == right[other] } else { false } }
        }
        #expect(same(steps) >= 20 && same(steps) < same(whole))
        let lefts = steps.compactMap { step -> Int? in
            switch step {
            case .same(let left, _), .other(let left, _), .removed(let left): left
            case .added: nil
            }
        }
        #expect(lefts == Array(left.indices))
    }
}
