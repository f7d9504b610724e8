import Foundation
package import Traffic

extension Meeting {
    /// Reads an element of `meetings`.
    package init(_ value: JSONValue, index: Int) {
        self.init(index: index)
        guard case .object(let members) = value else {
            losses = [.serverID, .meetingID, .start, .organization, .weekday, .noZone, .noPlace]
            return
        }
        for member in members { read(member.name, member.value) }
        if serverID == nil { losses.append(.serverID) }
        if meetingID == nil { losses.append(.meetingID) }
        if start == nil { losses.append(.start) }
        if organization?.isEmpty != false { losses.append(.organization) }
        if weekday == nil { losses.append(.weekday) }
        if zoneName.isEmpty { losses.append(.noZone) }
        if isAtDefaultPlace, !(street.isEmpty && venue.isEmpty) {
            losses.append(.defaultAddress)
            (street, venue, town) = ("", "", "")
        }
        if kind == nil { losses.append(.noPlace) }
        if !name.isEmpty, nameInApp.isEmpty { losses.append(.emptyName) }
        if losses.count > 1 { losses = Array(Set(losses)).sorted() }
    }

    private mutating func read(_ name: String, _ value: JSONValue) {
        switch name {
        case "server_id": serverID = value.integer
        case "meeting_id": meetingID = value.integer
        case "organization_key": organization = value.string
        case "name": self.name = unlabelled(value)
        case "weekday":
            let day = value.integer.flatMap(Int.init(exactly:))
            weekday = day.flatMap { (1...7).contains($0) ? $0 : nil }
        case "start_time": start = value.string.flatMap(Meeting.seconds)
        case "time_zone": zoneName = value.string ?? ""
        case "duration": toldDuration = value.integer.flatMap(Int.init(exactly:))
        case "latitude": latitude = value.number
        case "longitude": longitude = value.number
        case "distance": distance = value.number
        case "comments": comments = unlabelled(value)
        case "formats": formats = value.elements?.compactMap { $0["key"]?.string } ?? []
        case "physical_address": readAddress(value)
        case "virtual_information":
            url = value["url"].map { unlabelled($0) } ?? ""
            phone = value["phone_number"].map { unlabelled($0) } ?? ""
        default: break
        }
    }

    private mutating func readAddress(_ value: JSONValue) {
        street = value["street"].map { unlabelled($0) } ?? ""
        venue = value["name"].map { unlabelled($0) } ?? ""
        town = ["city", "province", "nation"].compactMap { value[$0]?.string }.filter { !$0.isEmpty }
            .joined(separator: ", ")
    }

    /// A field's text; where the field came with its label, the part after the mark.
    private mutating func unlabelled(_ value: JSONValue) -> String {
        guard let text = value.string else { return "" }
        guard text.utf8.contains(UInt8(ascii: "#")), let mark = text.range(of: "#@-@#", options: .backwards) else {
            return text
        }
        losses.append(.label)
        return String(text[mark.upperBound...])
    }

    /// `20:00:00` or `20:00` as seconds after midnight; `nil` for a time that no clock shows.
    static func seconds(_ text: String) -> Int? {
        var parts: [Int] = []
        for part in text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false) {
            guard part.count == 2, part.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            parts.append(part.reduce(0) { $0 * 10 + Int($1 - 0x30) })
        }
        guard (2...3).contains(parts.count), parts[0] < 24, parts[1] < 60 else { return nil }
        let second = parts.count == 3 ? parts[2] : 0
        return second < 60 ? parts[0] * 3600 + parts[1] * 60 + second : nil
    }

    /// Whether the meeting is within 200 m of the point where the server puts meetings without a place.
    private var isAtDefaultPlace: Bool {
        guard let latitude, let longitude else { return false }
        let place = (latitude: 34.23596, longitude: -118.56352)
        guard abs(latitude - place.latitude) < 0.01, abs(longitude - place.longitude) < 0.01 else { return false }
        // Over this distance the ground is flat: metres north, and metres east at that latitude.
        let north = (latitude - place.latitude) * 111_195
        let east = (longitude - place.longitude) * 111_195 * cos(place.latitude * .pi / 180)
        return (north * north + east * east).squareRoot() <= 200
    }
}
