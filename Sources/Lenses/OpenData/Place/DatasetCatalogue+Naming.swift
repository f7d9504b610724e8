import Traffic

extension DatasetCatalogue {
    /// The datasets that a name stands for: by name, id or title.
    ///
    /// - Throws: `PlaceProblem.noDataset` naming the nearest where the captures show none.
    func sightings(named name: String) throws(PlaceProblem) -> [DatasetSighting] {
        let found = datasets(named: name)
        guard found.isEmpty else { return found }
        let names = datasets.flatMap { [$0.dataset.name, $0.dataset.title] }
        throw .noDataset(name, near: EditDistance.nearest(to: name, in: names))
    }

    /// The titles of the datasets that some names stand for, by which the app saves them.
    ///
    /// - Throws: `PlaceProblem.noDataset` naming the nearest where the captures show none.
    package func titles(named names: [String]) throws(PlaceProblem) -> Set<String> {
        var titles: Set<String> = []
        for name in names { titles.formUnion(try sightings(named: name).map(\.dataset.title)) }
        return titles
    }

    /// The titles that some names stand for: a saved title, whether captures show it or not, else that of a captured dataset.
    ///
    /// - Throws: `PlaceProblem.noDataset` for a name that is no saved title, and that no capture shows.
    package func titles(named names: [String], among saved: Set<String>) throws(PlaceProblem) -> Set<String> {
        var titles: Set<String> = []
        for name in names {
            let same = saved.filter { $0.lowercased() == name.lowercased() }
            titles.formUnion(same.isEmpty ? try self.titles(named: [name]) : same)
        }
        return titles
    }
}
