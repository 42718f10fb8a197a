/**
 * Acts on simulated phones as a person in the room: calls simulator/adb_server/control.ts over the simulator's port.
 */
import { withAdbSocket } from "../adb/socket.ts";

/** Runs an act such as "SIM0001:unplug". Throws AdbRefusedError when the simulator does not know it. */
export async function control(port: number, request: string): Promise<void> {
  await withAdbSocket(
    { hostname: "127.0.0.1", port },
    { timeoutMs: 10_000 },
    (socket) => socket.request(`host:simulate:${request}`),
  );
}
