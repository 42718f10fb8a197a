import assert from "node:assert/strict";
import { AUTHORITY_PATH, type Certificate } from "shared/testing/faulty_servers.ts";
import type { EmailConfig } from "../config.ts";
import { OutsideError, type OutsideMessage } from "../context.ts";
import { startPeer } from "../testing/fake_clamd.ts";
import { readMail, startFakeMail } from "../testing/fake_mail.ts";
import { openEmail } from "./send_email.ts";

const MESSAGE: OutsideMessage = {
  cause: "device_needs_hand:unauthorized",
  type: "warning",
  title: "5 מכשירים לא מורשים",
  step: "מאשרים את המחשב על מסך הטלפון.",
  count: 5,
  since: 1_000,
  at: Date.UTC(2026, 10, 22, 8),
  places: ["חיפה", "חולון"],
  url: "https://shigur.example/admin/alerts",
};

async function endOf(sent: Promise<void>) {
  const error = await sent.then(() => null, (error) => error);
  assert.ok(error === null || error instanceof OutsideError, String(error));
  return error && [error.reason, error.mayHaveArrived, error.status];
}

Deno.test("openEmail() sends one mail with the title, the sites, the step and the link, to every address", async () => {
  await using mail = startFakeMail();
  await openEmail(mail.email)(MESSAGE);
  assert.equal(mail.received.length, 1);
  const [received] = mail.received;
  assert.deepEqual([received!.from, received!.to, received!.auth], [
    "shigur@example.com",
    ["ops@example.com", "boss@example.com"],
    undefined,
  ]);
  const { subject, body, headers } = readMail(received!);
  assert.equal(subject, "שיגור: 5 מכשירים לא מורשים");
  assert.equal(
    body.trim(),
    "5 מכשירים לא מורשים.\n\nאתרים: חיפה, חולון.\n\nמאשרים את המחשב על מסך הטלפון.\n\nhttps://shigur.example/admin/alerts",
  );
  assert.match(headers, /^Auto-Submitted: auto-generated$/mi);
  assert.match(headers, /^Date: Sun, 22 Nov 2026 08:00:00 \+0000$/m);
});

Deno.test("openEmail() logs in where the environment has a password", async () => {
  await using mail = startFakeMail({ extensions: ["AUTH PLAIN"], auth: { user: "u", pass: "sod 1" } });
  await openEmail(mail.email)(MESSAGE);
  assert.equal(mail.received[0]!.auth, "\0u\0sod 1");
});

Deno.test("openEmail() gives neither its password nor the alert to another machine without TLS", async () => {
  const manners = { extensions: ["AUTH PLAIN"], auth: { user: "u", pass: "sod" }, isLocal: false };
  await using mail = startFakeMail(manners);
  assert.deepEqual((await endOf(openEmail(mail.email)(MESSAGE)))?.slice(1, 2), [false]);
  assert.deepEqual([mail.received, mail.heard.filter((line) => /^(AUTH|MAIL|DATA)/.test(line))], [[], []]);
});

for (const begins of ["at once", "after STARTTLS"] as const) {
  Deno.test(`openEmail() sends by TLS that begins ${begins}, to the server of the certificate's name alone`, async () => {
    const ends: [Certificate, string, number][] = [
      ["good", "sent", 1],
      ["other_name", "tls", 0],
      ["expired", "tls", 0],
    ];
    for (const [certificate, end, count] of ends) {
      const auth = { user: "u", pass: "sod 1" };
      const tls = { begins, certificate };
      await using mail = startFakeMail({ extensions: ["AUTH PLAIN"], auth, isLocal: false, tls });
      assert.equal(await sendTrusting(mail.email), end, certificate);
      assert.equal(mail.received.length, count, certificate);
      assert.ok(mail.received.every((received) => received.auth === "\0u\0sod 1"));
      if (count === 0) assert.deepEqual(mail.heard.filter((line) => /^(AUTH|MAIL|DATA)/.test(line)), []);
    }
  });
}

/** Sends the message in a process that trusts the authority of testdata/tls; returns how that ended. */
async function sendTrusting(email: EmailConfig): Promise<string> {
  const program = new URL("../testing/send_one_email.ts", import.meta.url).pathname;
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "-q", program, JSON.stringify({ email, message: MESSAGE })],
    env: { DENO_CERT: AUTHORITY_PATH },
  }).output();
  const [said, errors] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes).trim());
  return said || errors!;
}

Deno.test("openEmail() says whether a message surely did not arrive", async () => {
  const cases: [Record<string, string>, unknown[]][] = [
    [{ MAIL: "550 5.7.1 no sod@secret" }, ["refused", false, 550]],
    [{ RCPT: "550 no such box" }, ["refused", false, 550]],
    [{ DATA: "451 later" }, ["refused", false, 451]],
    [{ "DATA.": "554 spam" }, ["refused", false, 554]],
    [{ "DATA.": "hang up" }, ["broken", true, null]],
    [{ "DATA.": "silence" }, ["timeout", true, null]],
    [{ EHLO: "hang up" }, ["connect", false, null]],
    [{ EHLO: "silence" }, ["timeout", false, null]],
  ];
  for (const [replies, end] of cases) {
    await using mail = startFakeMail({ replies });
    // Only a silent server is not waited for: a busy machine takes long to answer.
    const withinMs = end[0] === "timeout" ? 3_000 : 20_000;
    assert.deepEqual(await endOf(openEmail(mail.email, withinMs)(MESSAGE)), end, JSON.stringify(replies));
  }
  await using mail = startFakeMail({
    replies: { AUTH: "535 wrong" },
    extensions: ["AUTH PLAIN"],
    auth: { user: "u", pass: "p" },
  });
  assert.deepEqual(await endOf(openEmail(mail.email)(MESSAGE)), ["login", false, 535]);
});

Deno.test("openEmail() ends in time and closes its connection, with servers that never end", async () => {
  const drip = async (conn: Deno.Conn) => {
    for (;;) {
      await conn.write(new TextEncoder().encode("2"));
      await new Promise((done) => setTimeout(done, 20));
    }
  };
  const flood = async (conn: Deno.Conn) => {
    const line = new TextEncoder().encode("220-x\r\n".repeat(5_000));
    for (;;) await conn.write(line);
  };
  const mute = async (conn: Deno.Conn) => {
    while (await conn.read(new Uint8Array(64)) !== null);
  };
  for (const talk of [drip, flood, mute]) {
    await using peer = startPeer(talk);
    const { hostname: host, port } = peer.address;
    await using shape = startFakeMail();
    const end = await endOf(openEmail({ ...shape.email, host, port }, 300)(MESSAGE));
    assert.equal(end?.[1], false, talk.name);
    while (peer.open > 0) await new Promise((done) => setTimeout(done, 5));
  }
  const gone = startFakeMail();
  await gone[Symbol.asyncDispose]();
  assert.deepEqual(await endOf(openEmail(gone.email)(MESSAGE)), ["connect", false, null]);
});
