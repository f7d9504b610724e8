/// A drawer of a plan's faults from one seeded sequence, so that a run can be repeated.
actor FaultDice {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// The fault this request gets, if any; one number is drawn for each chance, hit or not.
    func draw(_ plan: FaultPlan) -> FaultPlan.Fault? {
        var hit: FaultPlan.Fault?
        for chance in plan.chances where next() < chance.probability && hit == nil {
            hit = chance.fault
        }
        return hit
    }

    /// The next number in 0 ..< 1, by a Weyl sequence with its bits mixed (the constants are SplitMix64's).
    private func next() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double((mixed ^ (mixed >> 31)) >> 11) / Double(1 << 53)
    }
}
