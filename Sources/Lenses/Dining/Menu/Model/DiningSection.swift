/// A counter of a hall.
package struct DiningSection: Sendable {
    package var name: String
    package var foods: [ServedFood]
}
