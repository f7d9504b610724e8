/// Which columns a listing has, and how wide they are.
struct ListingForm {
    /// For a pipe: each line stands for itself, with the day, the whole type and the URL.
    static let whole = ListingForm(
        columns: [
            (.id, 4, 6), (.moment, 19, 19), (.code, 4, 9), (.method, 6, 7), (.type, 12, 16), (.size, 7, 7),
            (.duration, 8, 8), (.url, 3, 3),
        ],
        gap: "  "
    )
    /// For a terminal: the address has at least two fifths of 80 columns, and a day is a line of its own.
    static let short = ListingForm(
        columns: [
            (.id, 4, 6), (.clock, 8, 8), (.method, 6, 7), (.response, 9, 9), (.size, 6, 6), (.duration, 6, 6),
            (.address, 4, 4),
        ],
        gap: " "
    )

    /// The columns from the left, each with the cells that it takes at least, and those that rows yet to come usually need.
    ///
    /// The last takes what is left.
    let columns: [(column: ListingColumn, least: Int, usual: Int)]
    /// What stands between two columns.
    let gap: String
}
