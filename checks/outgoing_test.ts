import assert from "node:assert/strict";
import { productFiles } from "./source_files.ts";

/**
 * Every place where edge or agent opens a connection, with the source of its address. A caller chooses one address
 * alone, a webhook's: it is checked, and the connection is opened to the address that was checked (server-side request
 * forgery). Neither a browser nor a frame can choose another.
 */
const OUTGOING: Record<string, string> = {
  "edge/db/remote_client.ts": "DATABASE_URL, by whoever runs the edge",
  "edge/virus_scan/clamd.ts": "CLAMD, by whoever runs the edge",
  "edge/alerts/send_email.ts": "SMTP_URL, by whoever runs the edge",
  "edge/alerts/send_webhook.ts": "ALERT_WEBHOOK_URL, by whoever runs the edge",
  "edge/webhooks/post_once.ts": "an owner of an account, as webhooks/find_addresses.ts allows",
  "agent/adb/socket.ts": "ADB_SERVER, by whoever runs the site",
  "agent/commands/provision.ts": "EDGE_URL, by whoever runs the site",
  "agent/commands/rehearse.ts": "a socket of the file system in AGENT_DIR",
  "agent/commands/screens.ts": "a socket of the file system in AGENT_DIR",
  "agent/doctor/check_adb.ts": "ADB_SERVER",
  "agent/doctor/check_edge.ts": "EDGE_URL",
  "agent/edge/edge_connection.ts": "EDGE_URL",
  "agent/edge/identity.ts": "EDGE_URL",
  "agent/edge/why_refused.ts": "EDGE_URL, by whoever runs the site",
  "agent/edge/images.ts": "EDGE_URL, and a SHA-256 that the schema of the frame checks",
};
const OPENS =
  /\bfetch\(|Deno\.connect(Tls)?\(|new (WebSocket|Socket|EventSource)\(|node:(net|http|https|tls|dgram)"|"nodemailer\//;
const root = new URL("../", import.meta.url).pathname;

Deno.test("edge and agent open connections only in these places, to addresses of their operators or checked ones", async () => {
  const found: string[] = [];
  for (const part of ["edge", "agent", "simulator", "shared"]) {
    for await (const file of productFiles(`${root}${part}`)) {
      const text = (await Deno.readTextFile(file)).replaceAll(/^\s*(\/\/|\*|\/\*\*).*$/gm, "");
      if (OPENS.test(text.replaceAll(/#fetch\(|\bfetch\(\) says/g, ""))) found.push(file.slice(root.length));
    }
  }
  assert.deepEqual(found.sort(), Object.keys(OUTGOING).sort());
});

Deno.test("webhooks connect to an address that was checked, and never by a name", async () => {
  const text = await Deno.readTextFile(`${root}edge/webhooks/post_once.ts`);
  assert.equal(text.match(/Deno\.connect\(/g)?.length, 1);
  assert.match(text, /for \(const hostname of addresses\)/);
  assert.doesNotMatch(text.replaceAll(/^\s*(\/\/|\*|\/\*\*).*$/gm, ""), /\bfetch\(|connectTls|node:/);
});

Deno.test("no fetch() of edge or agent follows a redirect", async () => {
  for (const file of Object.keys(OUTGOING)) {
    const text = await Deno.readTextFile(root + file);
    const asked = text.match(/(?<!#)\bfetch\(/g)?.length ?? 0;
    assert.equal(text.match(/redirect: "manual"/g)?.length ?? 0, asked, file);
  }
});
