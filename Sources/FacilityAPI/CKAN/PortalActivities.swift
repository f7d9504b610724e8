import Foundation

/// The changes to datasets, newest first: every dataset was changed several times, so that there are pages to scroll through.
struct PortalActivities: Sendable {
    let time: WallTime
    let datasets: [Dataset]

    private static let roundCount = 6

    /// A window of the activities, of one dataset or of all.
    func list(of dataset: Dataset?, offset: Int, limit: Int, origin: String) -> [JSON] {
        let rounds = (0..<Self.roundCount).flatMap { round in datasets.map { (round, $0) } }
        let wanted = dataset.map { dataset in rounds.filter { $0.1 == dataset } } ?? rounds
        return wanted.dropFirst(offset).prefix(limit).map { round, dataset in
            let moment = dataset.modified.addingTimeInterval(-Double(round) * 86_400 * 60)
            return [
                "id": .string(dataset.resourceID(100 + round)), "timestamp": .string(time.naive(moment)),
                "user_id": .string(PortalDirectory.adminID), "object_id": .string(dataset.id),
                "revision_id": .string(dataset.resourceID(200 + round)),
                "activity_type": .string(round == Self.roundCount - 1 ? "new package" : "changed package"),
                "data": ["actor": "admin", "package": dataset.json(time: time, origin: origin)],
            ]
        }
    }
}
