/**
 * Sends one request to an adb server, or to the simulator in its place.
 *
 * @throws {Error} when it refuses
 */
export async function askAdbServer(port: number, service: string): Promise<void> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const bytes = new TextEncoder().encode(service);
  const length = new TextEncoder().encode(bytes.length.toString(16).padStart(4, "0"));
  await connection.write(new Uint8Array([...length, ...bytes]));
  const answer = new Uint8Array(4);
  await connection.read(answer);
  const word = new TextDecoder().decode(answer);
  if (word !== "OKAY") throw new Error(`Cannot ask for ${service}: ${word}`);
}
