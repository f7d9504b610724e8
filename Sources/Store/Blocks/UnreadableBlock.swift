/// The numbers of a block cannot be read: the question is asked again without the block; see `TrafficStore.read`.
struct UnreadableBlock: Error {
    /// The block's place.
    let index: Int64
}
