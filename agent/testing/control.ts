/** A hand in the room: what simulator/adb_server/control.ts does, asked for over the simulator's own port. */
import { withAdbSocket } from "../adb/socket.ts";

/** Does what "SIM0001:unplug" says; throws AdbRefusedError when the simulator knows no such act. */
export async function control(port: number, request: string): Promise<void> {
  await withAdbSocket(
    { hostname: "127.0.0.1", port },
    { timeoutMs: 10_000 },
    (socket) => socket.request(`host:simulate:${request}`),
  );
}
