/// Rows under named columns.
package struct LensTable: Sendable, Equatable {
    /// A view holds no more rows of a table than this; `total` says how many there are.
    package static let rowLimit = 500

    package var columns: [String]
    /// Each row has a text for each column.
    package var rows: [[LensText]]
    /// The count of all rows, those left out included.
    package var total: Int

    /// Makes a table of the first rows, at most `rowLimit`.
    package init(columns: [String], rows: some Collection<[LensText]>) {
        self.columns = columns
        self.rows = Array(rows.prefix(LensTable.rowLimit))
        total = rows.count
    }
}
