/// Rows under named columns.
package struct LensTable: Sendable, Equatable {
    /// A view holds no more rows of a table than this; `total` says how many there are.
    package static let rowLimit = 500

    package var columns: [String]
    /// As many texts each as there are columns.
    package var rows: [[LensText]]
    /// Rows that there are, those left out counted.
    package var total: Int

    /// A table of at most `rowLimit` of some rows.
    package init(columns: [String], rows: some Collection<[LensText]>) {
        self.columns = columns
        self.rows = Array(rows.prefix(LensTable.rowLimit))
        total = rows.count
    }
}
