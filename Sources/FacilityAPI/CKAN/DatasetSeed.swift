import Foundation

/// A maker of the portal's invented datasets, edited on the days before an instant.
enum DatasetSeed {
    /// The datasets, newest edit first.
    static func datasets(now: Date) -> [Dataset] {
        rows.enumerated().map { position, row in
            let edited = now.addingTimeInterval(-Double(position * position + 1) * 21_600 - 123.456_789)
            return Dataset(
                number: position + 1,
                name: row.name,
                title: row.title,
                notes: row.notes,
                division: row.division,
                category: row.category,
                refreshRate: row.refresh,
                formats: row.formats,
                topics: row.topics,
                civicIssues: row.issues,
                tags: row.tags,
                recordCount: row.records,
                created: edited.addingTimeInterval(-Double(position + 2) * 86_400 * 97),
                modified: edited
            )
        }
    }

    private struct Row {
        let name: String
        let title: String
        let notes: String
        let division: String
        let category: String
        let refresh: String
        let formats: [String]
        let topics: [String]
        let issues: [String]
        let tags: [String]
        let records: Int
    }

    private static let map = ["CSV", "GEOJSON", "SHP"]
    private static let table = ["CSV", "JSON", "XML"]
    private static let transport = "Transportation Services"
    private static let parks = "Parks, Forestry & Recreation"

    private static var rows: [Row] {
        [
            Row(
                name: "bike-share-docks",
                title: "Bike Share Docks",
                notes: "Where bicycles can be borrowed, with the number of docks.",
                division: transport,
                category: "Map",
                refresh: "Daily",
                formats: map,
                topics: ["Transportation", "Locations and mapping"],
                issues: ["Mobility"],
                tags: ["bike lane", "cycling"],
                records: 640
            ),
            Row(
                name: "cycling-lanes",
                title: "Cycling Lanes",
                notes: "Lanes, tracks and trails for bicycles.",
                division: transport,
                category: "Map",
                refresh: "Semi-annually",
                formats: map,
                topics: ["Transportation", "Locations and mapping"],
                issues: ["Mobility", "Climate change"],
                tags: ["bike lane"],
                records: 1_502
            ),
            Row(
                name: "street-trees",
                title: "Street Trees",
                notes: "Trees the city looks after, by species and girth.",
                division: parks,
                category: "Map",
                refresh: "Weekly",
                formats: map,
                topics: ["Environment", "Locations and mapping"],
                issues: ["Climate change"],
                tags: ["trees", "urban forest"],
                records: 620_113
            ),
            Row(
                name: "outdoor-rinks",
                title: "Outdoor Rinks",
                notes: "Ice rinks, their seasons and their hours.",
                division: parks,
                category: "Map",
                refresh: "Daily",
                formats: ["CSV", "GEOJSON"],
                topics: ["Parks and recreation"],
                issues: [],
                tags: ["skating", "recreation"],
                records: 54
            ),
            Row(
                name: "dinesafe-visits",
                title: "Restaurant Visits",
                notes: "What inspectors found in kitchens.",
                division: "Public Health",
                category: "Table",
                refresh: "Daily",
                formats: table,
                topics: ["Health", "Business"],
                issues: [],
                tags: ["food", "inspection"],
                records: 61_204
            ),
            Row(
                name: "shelter-occupancy",
                title: "Shelter Occupancy",
                notes: "Beds used and free, by night.",
                division: "Shelter & Support Services",
                category: "Table",
                refresh: "Daily",
                formats: table,
                topics: ["Community services"],
                issues: ["Affordable housing", "Poverty reduction"],
                tags: ["housing", "shelters"],
                records: 48_877
            ),
            Row(
                name: "building-permits",
                title: "Building Permits",
                notes: "Permits asked for and granted this year.",
                division: "City Planning",
                category: "Table",
                refresh: "Daily",
                formats: table,
                topics: ["Development and infrastructure"],
                issues: ["Affordable housing"],
                tags: ["construction", "permits"],
                records: 25_019
            ),
            Row(
                name: "ward-profiles",
                title: "Ward Profiles",
                notes: "Who lives in each ward, by census.",
                division: "City Planning",
                category: "Document",
                refresh: "As available",
                formats: ["XLSX"],
                topics: ["City government", "Community services"],
                issues: ["Poverty reduction"],
                tags: ["census", "wards"],
                records: 25
            ),
            Row(
                name: "library-branches",
                title: "Library Branches",
                notes: "Addresses, hours and services of every branch.",
                division: "Public Library",
                category: "Map",
                refresh: "Monthly",
                formats: ["CSV", "GEOJSON", "JSON"],
                topics: ["Culture and tourism"],
                issues: [],
                tags: ["libraries"],
                records: 100
            ),
            Row(
                name: "water-quality-beaches",
                title: "Beach Water Quality",
                notes: "Bacteria counts at the lake's beaches.",
                division: "Public Health",
                category: "Table",
                refresh: "Daily",
                formats: table,
                topics: ["Environment", "Health"],
                issues: ["Climate change"],
                tags: ["beaches", "water"],
                records: 17_350
            ),
            Row(
                name: "traffic-signals",
                title: "Traffic Signals",
                notes: "Every signal, with the year it was lit.",
                division: transport,
                category: "Map",
                refresh: "Monthly",
                formats: map,
                topics: ["Transportation", "Public safety"],
                issues: ["Mobility"],
                tags: ["signals", "economy of motion"],
                records: 2_480
            ),
            Row(
                name: "economic-indicators",
                title: "Economic Indicators",
                notes: "Jobs, rents and prices by quarter.",
                division: "Economic Development",
                category: "Table",
                refresh: "Quarterly",
                formats: ["CSV", "XLSX"],
                topics: ["Business", "Finance"],
                issues: ["Fiscal responsibility"],
                tags: ["economy"],
                records: 310
            ),
            Row(
                name: "council-attendance",
                title: "Council Attendance",
                notes: "Who sat in which meeting.",
                division: "City Clerk's Office",
                category: "Table",
                refresh: "Weekly",
                formats: table,
                topics: ["City government"],
                issues: ["Fiscal responsibility"],
                tags: ["council", "meetings"],
                records: 9_944
            ),
            Row(
                name: "festivals-and-events",
                title: "Festivals & Events",
                notes: "What is on, where and what it costs. Café listings included.",
                division: "Economic Development",
                category: "Document",
                refresh: "Daily",
                formats: ["JSON"],
                topics: ["Culture and tourism"],
                issues: [],
                tags: ["arts", "festivals"],
                records: 412
            ),
        ]
    }
}
