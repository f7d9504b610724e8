extension SequenceAlignment {
    /// The longest run of elements that stand once in each list, in the order of both.
    static func anchors(_ left: ArraySlice<Int>, _ right: ArraySlice<Int>) -> [(Int, Int)] {
        func single(_ list: ArraySlice<Int>) -> [Int: Int?] {
            var places: [Int: Int?] = Dictionary(minimumCapacity: list.count)
            for index in list.indices {
                // An element that stands twice keeps its entry in the table, without a place.
                places.updateValue(places[list[index]] == nil ? index : nil, forKey: list[index])
            }
            return places
        }
        let (lefts, rights) = (single(left), single(right))
        let pairs = left.indices.compactMap { index -> (Int, Int)? in
            guard lefts[left[index]] == .some(.some(index)), case .some(.some(let other)) = rights[left[index]] else {
                return nil
            }
            return (index, other)
        }
        return longestRise(pairs)
    }

    /// The longest part of pairs in which the second numbers rise, by the ends of the runs of each length.
    private static func longestRise(_ pairs: [(Int, Int)]) -> [(Int, Int)] {
        var ends: [Int] = []
        var before = [Int?](repeating: nil, count: pairs.count)
        for (index, pair) in pairs.enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if pairs[ends[middle]].1 < pair.1 { low = middle + 1 } else { high = middle }
            }
            if low > 0 { before[index] = ends[low - 1] }
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var run: [(Int, Int)] = []
        var next = ends.last
        while let index = next {
            run.append(pairs[index])
            next = before[index]
        }
        return run.reversed()
    }
}
