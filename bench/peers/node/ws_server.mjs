/** `node ws_server.mjs '{"port":…,"eventsPerSecond":…}'`: sends events to every socket after the word `go`; ends with stdin. */
import process from "node:process";
import { createInterface } from "node:readline";
import { WebSocket, WebSocketServer } from "ws";

const COUNTS = { queued: 1000, leased: 20, sent: 12345, failed: 12, unknown: 3, skipped: 40, cancelled: 0 };
const { port, eventsPerSecond } = JSON.parse(process.argv[2]);
const server = new WebSocketServer({ host: "127.0.0.1", port, perMessageDeflate: false });
server.on("listening", () => process.stdout.write('{"all":"listening"}\n'));
let id = 0;

for await (const word of createInterface({ input: process.stdin })) {
  if (word === "go") setInterval(broadcast, 1000 / eventsPerSecond);
}
process.exit();

function broadcast() {
  const madeAt = performance.timeOrigin + performance.now();
  const data = { campaignId: 1, name: "מבצע סוף עונה", status: "active", counts: COUNTS, madeAt };
  // Encode once and send as a text frame: the cheapest way of the library.
  const frame = Buffer.from(JSON.stringify({ id: ++id, type: "campaign_changed", data }));
  for (const client of server.clients) {
    if (client.readyState === WebSocket.OPEN) client.send(frame, { binary: false });
  }
}
