package import Foundation
package import Store
package import Traffic

/// The answers of the places that the page has beside the list: for each place the JSON that the command of the same meaning prints.
///
/// Web does not know the commands, so `inspect` fills the answers in.
package struct PlaceAnswers: Sendable {
    /// A question to a place, as an address asks it.
    package struct Question: Sendable {
        /// The exchanges that the place looks at; empty for all.
        package let filter: Filter
        /// The rest of the address, in its order; a bare name has an empty value.
        package let options: [(name: String, value: String)]
        package let store: TrafficStore
        /// The moment that is asked about.
        package let now: Date

        /// The value of the first option of a name.
        package func first(_ name: String) -> String? { options.first { $0.name == name }?.value }
    }

    /// The things to mark in a place and those to unmark, by the names that the place gives them.
    package struct MarkedNames: Sendable, Decodable {
        /// Names in one question at most.
        static let limit = 1_000

        package var add: [String] = []
        package var remove: [String] = []

        private enum CodingKeys: String, CodingKey { case add, remove }

        /// Reads both lists; an absent list is empty.
        package init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            add = try members.decodeIfPresent([String].self, forKey: .add) ?? []
            remove = try members.decodeIfPresent([String].self, forKey: .remove) ?? []
        }
    }

    /// One place: its word, its options, its answer and its marks.
    package struct Place: Sendable {
        let name: String
        /// The names that are the place's own; any other is a key of the filter.
        let options: Set<String>
        let answer: @Sendable (Question) throws -> [UInt8]
        /// Keeps marks of the place's own and returns their number; `nil` for a place without marks.
        let mark: (@Sendable (MarkedNames, TrafficStore) throws -> Int)?

        /// - Parameters:
        ///   - name: the word of the place in an address.
        ///   - options: the names in an address that are the place's own, none of them a key of the filter.
        ///   - mark: keeps marks and returns their number; throws `Problem`.
        ///   - answer: returns one JSON object, on a thread that may wait; throws `Problem`, `FilterError`, `StoreError`.
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
