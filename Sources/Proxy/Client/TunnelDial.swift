import Traffic

/// The dial of a CONNECT, while its client waits for the answer.
struct TunnelDial {
    /// The dial, which can be given up.
    let dial: Dial
    /// Where it goes.
    let endpoint: Endpoint
    /// The CONNECT.
    let head: RequestHead
    /// The row for a client that does not wait for the answer.
    let row: ConnectRow
}
