/** Replaces adb as a server: answers `host:version`. Started as `-P <port> server nodaemon`. */
import { HostConnection } from "../../simulator/adb_server/host_connection.ts";

const listener = Deno.listen({ hostname: "127.0.0.1", port: Number(Deno.args[1]) });
for await (const conn of listener) answer(new HostConnection(conn));

async function answer(connection: HostConnection): Promise<void> {
  if (await connection.readRequest() === "host:version") await connection.okayText("0029");
  connection.close();
}
