import Foundation
import Store
import Traffic

/// What the places of the page beside the list show: for each the JSON that the command of the same meaning prints.
///
/// The commands are not Web's to know, so `inspect` fills this in.
package struct PlaceAnswers: Sendable {
    /// What an address asks of a place.
    package struct Question: Sendable {
        /// Which exchanges are looked at; empty for all.
        package let filter: Filter
        /// The rest of the address, in its order; a bare name has an empty value.
        package let options: [(name: String, value: String)]
        package let store: TrafficStore
        /// The moment that is asked about.
        package let now: Date

        /// The value of the first option of a name.
        package func first(_ name: String) -> String? { options.first { $0.name == name }?.value }
    }

    /// What is to be marked in a place, and what no longer, by the names that the place gives it.
    package struct MarkedNames: Sendable, Decodable {
        /// Names that one question has at most.
        static let limit = 1_000

        package var add: [String] = []
        package var remove: [String] = []

        private enum CodingKeys: String, CodingKey { case add, remove }

        /// Reads it, each list left out where it is empty.
        package init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            add = try members.decodeIfPresent([String].self, forKey: .add) ?? []
            remove = try members.decodeIfPresent([String].self, forKey: .remove) ?? []
        }
    }

    /// One place.
    package struct Place: Sendable {
        let name: String
        /// The names that are the place's own; any other is a key of the filter.
        let options: Set<String>
        let answer: @Sendable (Question) throws -> [UInt8]
        /// Keeps marks of the place's own, and gives how many there are then; `nil` where it has none.
        let mark: (@Sendable (MarkedNames, TrafficStore) throws -> Int)?

        /// - Parameters:
        ///   - name: its word in an address.
        ///   - options: the names in an address that are its own, none of them a key of the filter.
        ///   - mark: keeps marks, and gives how many there are then; throws `Problem`.
        ///   - answer: gives one JSON object, on a thread that may wait; throws `Problem`, `FilterError`, `StoreError`.
        package init(
            _ name: String,
            options: Set<String>,
            mark: (@Sendable (MarkedNames, TrafficStore) throws -> Int)? = nil,
            answer: @escaping @Sendable (Question) throws -> [UInt8]
        ) {
            (self.name, self.options, self.mark, self.answer) = (name, options, mark, answer)
        }
    }

    let places: [Place]

    package init(_ places: [Place] = []) { self.places = places }
}
