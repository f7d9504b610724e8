/// Rows under named columns.
package struct LensTable: Sendable, Equatable {
    /// A view holds no more rows of a table than this, unless the table is whole; `total` says how many there are.
    package static let rowLimit = 500

    package var columns: [String]
    /// Each row has a text for each column.
    package let rows: [[LensText]]
    /// The count of all rows, those left out included.
    package var total: Int

    /// Makes a table of the first rows, at most `rowLimit`.
    ///
    /// - Parameters:
    ///   - columns: their names.
    ///   - rows: all rows, each with a text for each column.
    ///   - isWhole: whether the table has every row, as that of a listing does.
    package init(columns: [String], rows: some Collection<[LensText]>, isWhole: Bool = false) {
        self.columns = columns
        self.rows = Array(rows.prefix(isWhole ? .max : LensTable.rowLimit))
        total = rows.count
    }
}
