import Foundation
import Lenses
import Traffic

/// A listing of meetings as one JSON object.
struct MeetingsJSON {
    private let listing: MeetingsListing
    private let clock: WallClock

    init(_ listing: MeetingsListing) {
        self.listing = listing
        clock = WallClock(listing.request.zone)
    }

    /// The object and a line end.
    var bytes: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.integer("capture", listing.found.id)
            json.string("at", clock.rfc3339(at: Int(listing.request.moment.timeIntervalSince1970.rounded(.down))))
            json.string("zone", listing.request.zone.identifier)
            json.integer("total", listing.table.entries.count)
            json.integer("listed", listing.entries.count)
            json.object("hidden") { json in
                json.integer("count", listing.table.hiddenCount)
                json.array("reasons") { json in
                    for (loss, count) in listing.table.losses {
                        json.object { json in
                            json.string("reason", loss.title)
                            json.boolean("hides", loss.hides)
                            json.integer("count", count)
                        }
                    }
                }
            }
            if let day = listing.request.day {
                json.object("day") { json in
                    json.integer("index", day.index)
                    json.string("title", day.title)
                }
            }
            if listing.request.isSlots || listing.picked != nil { slots(&json) }
            json.array("meetings") { json in for entry in listing.entries { meeting(entry, &json) } }
        }
        json.newline()
        return json.take()
    }

    private func slots(_ json: inout JSONWriter) {
        let slots = listing.slots
        json.integer("weekday", listing.weekday)
        json.array("slots") { json in
            for (index, slot) in slots.enumerated() {
                json.object { json in
                    json.string("time", MeetingClockText.text(slot.clock))
                    json.integer("count", slot.entries.count)
                    json.number("thermometer", MeetingSlot.thermometer(at: index, of: slots.count))
                }
            }
        }
        guard let picked = listing.picked else { return }
        json.object("nearest") { json in
            json.integer("slot", picked.index)
            json.string("time", MeetingClockText.text(picked.slot.clock))
            json.string("inApp", MeetingClockText.text(picked.slots[picked.inApp].clock))
        }
    }

    private func meeting(_ entry: MeetingEntry, _ json: inout JSONWriter) {
        let meeting = entry.meeting
        json.object { json in
            json.string("id", meeting.label)
            json.integer("appId", meeting.id)
            json.string("name", meeting.name)
            json.string("kind", meeting.kind?.rawValue)
            json.boolean("video", meeting.hasVideo)
            json.boolean("phone", meeting.hasPhone)
            json.boolean("inProgress", entry.isInProgress)
            json.boolean("attended", listing.isAttended(entry))
            json.string("starts", entry.time.map { clock.rfc3339(at: $0.next) })
            json.string("started", entry.time.map { clock.rfc3339(at: $0.previous) })
            json.integer("durationSeconds", meeting.duration)
            json.integer("weekday", entry.time?.weekday)
            json.string("day", entry.time.map { MeetingDay.name($0.weekday) })
            json.string("time", entry.time.map { MeetingClockText.text($0.clock) })
            json.object("own") { json in
                json.integer("weekday", meeting.weekday)
                json.string("time", meeting.start.map { MeetingClockText.text(WallClock.clock($0)) })
                json.string("zone", meeting.zoneName)
            }
            json.string("url", meeting.url.nilIfEmpty)
            json.string("appUrl", meeting.hasVideo ? MeetingLink(meeting.url)?.direct : nil)
            json.string("phoneNumber", meeting.phone.nilIfEmpty)
            json.boolean("hidden", entry.isHidden)
            json.array("reasons") { json in for loss in entry.losses { json.string(nil, loss.title) } }
        }
    }
}

extension String {
    fileprivate var nilIfEmpty: String? { isEmpty ? nil : self }
}
