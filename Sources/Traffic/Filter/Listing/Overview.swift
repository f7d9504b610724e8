/// Where the exchanges that a filter selects are: by number, for a scroll bar over all of them, and by time, for a strip.
package struct Overview: Hashable, Sendable {
    /// Every exchange in the store.
    package var total: Int
    /// Those that the filter selects.
    package var matched: Int
    /// The number at which the first bucket begins: the oldest exchange there is stands in that bucket.
    package var first: ExchangeID
    /// Numbers that belong to one bucket: a power of two.
    package var bucketSize: Int64
    /// How many are selected in each bucket, oldest first; the last holds the newest exchange.
    package var counts: [Int]
    /// The same by time, where it was asked for.
    package var strip: TimeStrip?

    package init(total: Int, matched: Int, first: ExchangeID, bucketSize: Int64, counts: [Int], strip: TimeStrip?) {
        (self.total, self.matched, self.first) = (total, matched, first)
        (self.bucketSize, self.counts, self.strip) = (bucketSize, counts, strip)
    }

    /// The overview as one JSON object.
    package var json: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.integer("total", total)
            json.integer("matched", matched)
            json.integer("first", first)
            json.integer("bucketSize", bucketSize)
            json.array("counts") { json in for count in counts { json.integer(nil, count) } }
            if let strip { strip.write(to: &json) }
        }
        json.newline()
        return json.take()
    }
}
