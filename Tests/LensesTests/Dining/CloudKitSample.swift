import Foundation
import Lenses
import NIOCore
import Traffic

/// Exchanges with CloudKit's web services, made for tests.
enum CloudKitSample {
    static let target =
        "/database/1/iCloud.BruinLife.MatthewDeCoste/production/public/records/query?ckAPIToken=s3cr3t-t0k3n"
    /// Midnight on campus of Friday 29 May 2015.
    static let friday = 1_432_882_800_000
    static let dayMilliseconds = 86_400_000

    /// The 15 nutrients of oatmeal.
    static let oatmeal: [(String, String)] = [
        ("Calories", "150"), ("From Fat", "25"), ("Total Fat", "3"), ("Saturated Fat", "0.5"), ("Trans Fat", "0"),
        ("Cholesterol", "0"), ("Sodium", "5"), ("Total Carbohydrates", "27"), ("Dietary Fiber", "4"), ("Sugars", "1"),
        ("Protein", "5"), ("Vitamin A", "0"), ("Vitamin C", "0"), ("Calcium", "2"), ("Iron", "10"),
    ]

    /// A day with one meal, one hall and one food.
    static func payload(
        date: String = "5/29/15",
        meal: String = "Breakfast",
        hall: String = "De Neve",
        type: String = "Vegan",
        hours: String = #""openHour":7,"openMin":0,"closeHour":11,"closeMin":0"#,
        nutrients: [(String, String)] = oatmeal,
        place: String? = nil,
        recipe: String = "059101"
    ) -> String {
        let facts = nutrients.map { #""\#($0.0)":"\#($0.1)""# }.joined(separator: ",")
        return #"{"date":"\#(date)","meals":{"\#(meal)":{"halls":{"\#(hall)":{"hall":"\#(hall)",\#(hours),"#
            + #""sections":[{"name":"The Kitchen","foods":[{"name":"Oatmeal","type":"\#(type)","recipe":"\#(recipe)"}]}]}}}},"#
            + #""foods":{"059101":{"info":{"name":"Oatmeal","recipe":"059101","type":"\#(type)",\#(facts),"#
            + #""ingredients":"Rolled oats, water","description":"","country":""},"places":{"\#(meal)":{"\#(place ?? hall)":true}}}}}"#
    }

    /// A record with a payload, as the web services write it.
    static func record(
        _ payload: String,
        name: String = "5/29/15",
        type: String = "DiningDay",
        day: Int? = friday
    ) -> String {
        record(
            data: #"{"value":"\#(Data(payload.utf8).base64EncodedString())","type":"BYTES"}"#,
            name: name,
            type: type,
            day: day
        )
    }

    /// A record whose `Data` field is this JSON.
    static func record(data: String, name: String = "5/29/15", type: String = "DiningDay", day: Int? = friday) -> String
    {
        let dayField = day.map { #""Day":{"value":\#($0),"type":"TIMESTAMP"},"# } ?? ""
        return
            #"{"recordName":"\#(name)","recordType":"\#(type)","recordChangeTag":"i9z1","fields":{\#(dayField)"Data":\#(data)},"#
            + #""modified":{"timestamp":1432890000000},"deleted":false}"#
    }

    /// An answer with records.
    static func answer(_ records: String..., more: String = "") -> String {
        #"{"records":[\#(records.joined(separator: ","))]\#(more)}"#
    }

    /// An exchange with these bodies.
    static func capture(
        request: String = "",
        response: String?,
        code: Int = 200,
        target: String = target,
        host: String = "api.apple-cloudkit.com",
        fields: String = ""
    ) -> Capture {
        var exchange = Exchange(
            timeline: Timeline(started: 1_432_915_200_000_000),
            method: "POST",
            scheme: .https,
            host: host,
            port: 443,
            target: target,
            request: Message(head: ByteBuffer(string: "POST \(target) HTTP/1.1\r\n\(fields)\r\n")),
            client: Peer(token: 1, address: "", tls: nil),
            outcome: .completed
        )
        if response != nil {
            exchange.code = code
            exchange.response = Message(
                head: ByteBuffer(string: "HTTP/1.1 \(code) X\r\nContent-Type: application/json\r\n\r\n")
            )
        }
        return Capture(
            exchange: exchange,
            request: CapturedBody(bytes: Array(request.utf8)),
            response: CapturedBody(bytes: Array((response ?? "").utf8))
        )
    }

    /// Everything that a view says, as one text.
    static func text(_ view: LensView) -> String {
        var json = JSONWriter()
        view.write(to: &json)
        return String(decoding: json.take(), as: UTF8.self)
    }
}
