import Lenses
import Traffic

extension DatasetCatalogue {
    /// The datasets that a name stands for: by name, id or title.
    ///
    /// - Throws: `InputError` naming the nearest where the captures show none.
    func sightings(named name: String) throws -> [DatasetSighting] {
        let found = datasets(named: name)
        guard found.isEmpty else { return found }
        let names = datasets.flatMap { [$0.dataset.name, $0.dataset.title] }
        let guess = EditDistance.nearest(to: name, in: names).map { "; did you mean '\($0)'?" }
        throw InputError(
            "the captures show no dataset '\(name)'\(guess ?? "; 'inspect datasets' lists those they show")"
        )
    }

    /// The titles of the datasets that some names stand for, by which the app saves them.
    ///
    /// - Throws: `InputError` naming the nearest where the captures show none.
    func titles(named names: [String]) throws -> Set<String> {
        Set(try names.flatMap { try sightings(named: $0).map(\.dataset.title) })
    }
}
