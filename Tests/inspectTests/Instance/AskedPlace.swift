import Foundation
import Store
import Testing
import Traffic

@testable import ProgramTests
@testable import Web
@testable import inspect

/// A place of the page, asked without the page.
enum AskedPlace {
    /// What a place answers of a store.
    ///
    /// - Parameters:
    ///   - name: its word in an address.
    ///   - options: its own options; each has to be one.
    ///   - filter: which exchanges are looked at.
    ///   - store: the exchanges.
    /// - Returns: the JSON.
    /// - Throws: `PlaceAnswers.Problem` where it has no answer.
    static func answer(
        _ name: String,
        _ options: [(name: String, value: String)],
        _ filter: Filter = Filter(),
        from store: CapturedStore
    ) throws -> String {
        let place = try #require(PlaceAnswers.commands.places.first { $0.name == name })
        #expect(options.allSatisfy { place.options.contains($0.name) })
        let reading = try TrafficStore(path: store.path, access: .reading)
        let question = PlaceAnswers.Question(filter: filter, options: options, store: reading, now: Date())
        return String(decoding: try place.answer(question), as: UTF8.self)
    }
}
