/**
 * `deno run server.ts <port> <events a second>`: the edge's own live channel (sessions, outbox in the database,
 * tail, hub, sockets). After the word `go` it sends that many events a second to one client.
 */
import { openTestApp } from "../../edge/testing/test_app.ts";
import { DISK } from "shared/testing/memory_folder.ts";
import { eachWord, writeLine } from "../storm/driver_words.ts";
import { madeNow } from "./frame.ts";

const [port, perSecond] = Deno.args.map(Number);
await using edge = await openTestApp({ under: DISK });
const client = await edge.addPerson();
const stopping = new AbortController();
const tail = edge.tail.run(stopping.signal);
const server = Deno.serve({ hostname: "127.0.0.1", port, onListen() {} }, edge.app.fetch);
await Deno.writeTextFile(Deno.args[2], client.cookie, { mode: 0o600 });
writeLine({ all: "listening" });

let timer: ReturnType<typeof setInterval> | undefined;
await eachWord((word) => {
  if (word === "go") timer = setInterval(commitEvent, 1000 / perSecond);
});
clearInterval(timer);
stopping.abort();
await tail;
await server.shutdown();

async function commitEvent(): Promise<void> {
  await edge.ctx.db.execute({
    sql: "INSERT INTO events (at, type, client, data) VALUES (?, 'campaign_changed', ?, ?)",
    args: [Date.now(), client.id, madeNow()],
  });
  edge.ctx.wakeOutbox();
}
