import Support

/// How much longer a piece of work takes this thread when there is eight times as much of it.
enum WorkGrowth {
    /// What looks at each thing once takes some eight times as long; what looks at each thing for each other takes sixty-four times.
    static let limit = 28.0

    /// Does the work with so much, and then with eight times as much.
    ///
    /// - Parameters:
    ///   - count: how much there is the first time.
    ///   - prepare: makes what the work is done on, which is not measured.
    ///   - work: does it.
    /// - Returns: how many times as long the larger one took.
    /// - Throws: what `prepare` and `work` throw.
    static func factor<Material>(
        of count: Int,
        prepare: (_ count: Int) throws -> Material,
        work: (Material) throws -> Void
    ) throws -> Double {
        let (little, much) = (try prepare(count), try prepare(8 * count))
        let few = try ThreadTime.least { try work(little) }
        let many = try ThreadTime.of { try work(much) }
        return many / max(1, few)
    }
}
