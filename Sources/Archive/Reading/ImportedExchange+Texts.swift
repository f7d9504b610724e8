import Traffic

extension ImportedExchange {
    /// Parts the texts by which exchanges are counted and told apart, where a string is slow with them (`ByteText`): an archive's may be any.
    mutating func partTexts() {
        exchange.method = ByteText.parted(exchange.method)
        exchange.host = ByteText.parted(exchange.host)
        exchange.target = ByteText.parted(exchange.target)
        exchange.mediaType = exchange.mediaType.map(ByteText.parted)
        clientName = clientName.map { $0.map(ByteText.parted) }
        session = session.map(ByteText.parted)
    }
}
