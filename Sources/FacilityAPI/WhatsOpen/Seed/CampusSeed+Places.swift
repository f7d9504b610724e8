import Foundation

extension CampusSeed {
    /// Buildings on four campuses, in order of their ids.
    var places: [Place] {
        let rows: [(String, String, String, String, Bool, Double, Double)] = [
            ("Rivanna Commons", "The Commons", "4400 Patriot Ring Rd", "fairfax", true, -77.308112, 38.829904),
            ("Shenandoah Union", "The Union", "4477 Aquia Creek Ln", "fairfax", true, -77.305946, 38.8316127),
            (
                "Otter Creek Hall", "", "4353 Chesapeake River Wy", "fairfax", true, -77.30605422374416,
                38.83191871206628
            ),
            (
                "Massanutten Library", "The Library", "4348 Chesapeake River Wy", "fairfax", true, -77.3070134,
                38.8317552
            ),
            (
                "Bull Run Hall", "Science East", "10890 George Mason Cir", "prince william", true, -77.5191883,
                38.7567211
            ),
            ("Founders Square", "Founders", "3351 Fairfax Dr", "arlington", true, -77.1009432, 38.8848217),
            (
                "Cedar Meadow Barn", "Conservation Campus", "1500 Remount Rd", "front royal", true, -78.1497715,
                38.8879034
            ),
            (
                "Shenandoah Union", "The Union, lower level", "4477 Aquia Creek Ln, Level 0", "fairfax", true,
                -77.3058213, 38.8315001
            ),
            ("University Mall", "", "10659 Braddock Rd", "fairfax", false, -77.3036911, 38.8241126),
            (
                "Piedmont Fieldhouse", "The Fieldhouse", "4350 Banister Creek Ct", "fairfax", true, -77.3150552,
                38.8357113
            ),
            (
                "Blue Ridge Tower", "Residence Quad", "10415 Presidents Park Dr", "fairfax", true, -77.3018804,
                38.8338871
            ),
        ]
        return rows.enumerated().map { position, row in
            Place(
                id: position + 1,
                created: past(days: 900 - position * 3, microsecond: 576_217 + position * 40_009),
                modified: past(days: 400 - position * 11, microsecond: 751_417 + position * 13_007),
                building: row.0,
                friendlyBuilding: row.1,
                address: row.2,
                campusRegion: row.3,
                isOnCampus: row.4,
                longitude: row.5,
                latitude: row.6
            )
        }
    }

    /// Categories in order of their ids; two are called Office (case O).
    var kinds: [FacilityKind] {
        ["Dining Hall", "Restaurant", "Fast Food", "Café", "Office", "Library", "Recreation", "Office", "Market"]
            .enumerated().map { position, name in
                FacilityKind(
                    id: position + 1,
                    created: past(days: 880 - position, microsecond: 468_882 + position * 10_011),
                    modified: past(days: 640 - position * 7, microsecond: 781_846 + position * 9_013),
                    name: name
                )
            }
    }

    /// An alert of each urgency, one that is past and one that is still to come (case Q).
    var alerts: [Alert] {
        let rows: [(String, String, String, String, ClosedRange<Int>)] = [
            ("info", "Farmers' market on the plaza", "Local growers every day this week, 11 to 2.", "", -1...4),
            (
                "minor", "Shorter hours over the break", "Most dining places close early; see each one.",
                "https://campus.example/break", -2...9
            ),
            ("major", "Water main repair in The Union", "The lower level has no running water.", "", 0...2),
            (
                "emergency", "Severe weather: shelter in place", "Stay inside until further notice.",
                "https://alert.campus.example/", 0...1
            ),
            ("info", "Library exhibit", "Maps of the Shenandoah, ground floor. This one is over.", "", -60 ... -30),
            ("minor", "Elevator inspection in Blue Ridge Tower", "One elevator at a time.", "", 20...21),
            // The model's default, which is none of the urgencies.
            ("Info", "Campus tours start at The Commons", "Every hour on the hour.", "", -3...3),
        ]
        return rows.enumerated().map { position, row in
            Alert(
                id: position + 11,
                created: past(days: 5 + position, microsecond: 104_729 + position * 70_001),
                modified: past(days: 2 + position, microsecond: 224_737 + position * 60_007),
                urgency: row.0,
                subject: row.1,
                body: row.2,
                url: row.3,
                start: day(row.4.lowerBound),
                end: day(row.4.upperBound)
            )
        }
    }
}
