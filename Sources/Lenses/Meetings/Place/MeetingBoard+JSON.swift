import Foundation
package import Traffic

extension MeetingBoard {
    /// Writes the board as one object; moments are RFC 3339 in the viewer's zone.
    package func write(to json: inout JSONWriter) {
        let clock = WallClock(selection.zone)
        json.object { json in
            json.integer("capture", finding.id)
            json.string("at", clock.rfc3339(at: Int(selection.moment.timeIntervalSince1970.rounded(.down))))
            json.string("zone", selection.zone.identifier)
            json.integer("total", table.entries.count)
            json.integer("listed", entries.count)
            if !finding.isWhole { json.boolean("complete", false) }
            json.object("hidden") { json in
                json.integer("count", table.hiddenCount)
                json.objects("reasons", table.losses) { entry, json in
                    json.string("reason", entry.loss.title)
                    json.boolean("hides", entry.loss.hides)
                    json.integer("count", entry.count)
                }
            }
            if let day = selection.day {
                json.object("day") { json in
                    json.integer("index", day.index)
                    json.string("title", day.title)
                }
            }
            if selection.isSlots || picked != nil { writeSlots(to: &json) }
            json.objects("meetings", entries) { write($0, clock, to: &$1) }
        }
    }

    private func writeSlots(to json: inout JSONWriter) {
        json.integer("weekday", weekday)
        json.objects("slots", slots.enumerated()) { slot, json in
            json.string("time", MeetingClockText.text(slot.element.clock))
            json.integer("count", slot.element.entries.count)
            json.number("thermometer", MeetingSlot.thermometer(at: slot.offset, of: slots.count))
        }
        guard let picked else { return }
        json.object("nearest") { json in
            json.integer("slot", picked.index)
            json.string("time", MeetingClockText.text(picked.slot.clock))
            json.string("inApp", MeetingClockText.text(picked.slots[picked.inApp].clock))
        }
    }

    private func write(_ entry: MeetingEntry, _ clock: WallClock, to json: inout JSONWriter) {
        let meeting = entry.meeting
        json.string("id", meeting.label)
        json.integer("appId", meeting.id)
        json.string("name", meeting.name)
        json.string("kind", meeting.kind?.rawValue)
        json.boolean("video", meeting.hasVideo)
        json.boolean("phone", meeting.hasPhone)
        json.boolean("inProgress", entry.isInProgress)
        json.boolean("attended", isAttended(entry))
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
        json.string("url", meeting.hasVideo ? meeting.url : nil)
        json.string("appUrl", meeting.hasVideo ? MeetingLink(meeting.url)?.direct : nil)
        json.string("phoneNumber", meeting.hasPhone ? meeting.phone : nil)
        json.boolean("hidden", entry.isHidden)
        json.strings("reasons", entry.losses.map(\.title))
    }
}
