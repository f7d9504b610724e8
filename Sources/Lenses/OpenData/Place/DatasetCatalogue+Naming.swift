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
}
