/// What a place did with an exchange that its walk came to.
enum PlaceStep {
    /// Read an answer of its own; the walk goes on until `PlaceBound.answers` of them.
    case read
    /// Read an exchange that holds nothing for it; the walk goes on until `PlaceBound.others` of them.
    case other
    /// Left the exchange unread; the walk goes on.
    case unread
    /// Read the last answer that it wants; the walk ends.
    case done
}
