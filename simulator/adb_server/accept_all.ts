/** Passes on every connection until the listener is closed. */
export async function acceptAll(
  listener: Deno.Listener,
  onConnection: (conn: Deno.TcpConn) => void,
): Promise<void> {
  try {
    for await (const conn of listener as Deno.TcpListener) {
      conn.setNoDelay(true);
      onConnection(conn);
    }
  } catch (error) {
    // The listener was closed during an accept.
    if (!(error instanceof Deno.errors.BadResource)) throw error;
  }
}
