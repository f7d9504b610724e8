/// The number of an exchange in its store: 1, 2, 3 … in the order rows were written, gapless until something is deleted.
package typealias ExchangeID = Int64

/// A number that is unique in one run of the proxy and names an exchange before the store has given it an `ExchangeID`.
package typealias CaptureToken = UInt64
