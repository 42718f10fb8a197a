import assert from "node:assert/strict";
import { CLOSE } from "shared/agent_protocol.ts";
import { LOOK_MS } from "shared/looks_api.ts";
import { STILL_PART_BYTES } from "shared/still.ts";
import { noisePng } from "shared/testing/noise_png.ts";
import { createSite } from "../sites/create_site.ts";
import { FakeSite, inventoryOf } from "../testing/fake_agent.ts";
import { openStillHouse, until } from "../testing/still_house.ts";
import { PROOF } from "../testing/test_app.ts";

async function codeOf(answer: Response): Promise<unknown[]> {
  return [answer.status, (await answer.json()).code];
}

Deno.test("an administrator who says why sees the phone's screen, and the audit log says so before and after", async () => {
  await using house = await openStillHouse();
  const { edge, admin, devices: [device] } = house;
  const [look] = await house.look();
  const [line] = await house.lines();
  assert.deepEqual([line!.kind, line!.device, line!.actor, line!.data.reason], [
    "screen_looked",
    device,
    admin.id,
    "הלקוח לא מקבל הודעות",
  ]);
  const picture = noisePng(2 * STILL_PART_BYTES + 9);
  const asked = house.still(look!);
  const { device: key } = await house.show(picture);
  const answer = await asked;
  assert.equal(key, "A");
  assert.deepEqual([answer.status, answer.headers.get("content-type"), answer.headers.get("cache-control")], [
    200,
    "image/png",
    "no-store",
  ]);
  assert.deepEqual(await answer.bytes(), picture);
  edge.clock.now += 3_000;
  const again = house.still(look!);
  await house.show(noisePng(200));
  await (await again).bytes();
  assert.equal((await house.lines()).length, 1, "one line for the session, not one for each still");

  assert.equal((await admin.ask(`/api/admin/looks/${look}`, { method: "DELETE" })).status, 204);
  const [, end] = await house.lines();
  assert.deepEqual([end!.kind, end!.device, end!.actor], ["screen_look_ended", device, admin.id]);
  const { from, to, ...rest } = end!.data;
  assert.deepEqual([rest, Number(to) - Number(from)], [{ look, stills: 2, closed: 1 }, 3_000]);
  const texts = await (await admin.ask("/api/admin/audit?group=privacy")).json();
  assert.deepEqual(texts.items.map(({ text }: { text: string }) => text), [
    "סוף הצפייה במסך של Pixel · A: נראו 2 תמונות",
    "בקשה לראות את המסך של Pixel · A. הסיבה: הלקוח לא מקבל הודעות",
  ]);
});

Deno.test("a closed look serves nothing more, not even what was on its way, and is closed once", async () => {
  await using house = await openStillHouse();
  const { edge, admin } = house;
  const close = (look: number, person = admin) =>
    person.ask(`/api/admin/looks/${look}`, { method: "DELETE" }).then(({ status }) => status);
  const [look, others] = await house.look(house.devices);
  const asked = house.still(look!);
  const first = await house.next("still");
  assert.deepEqual(await Promise.all([close(look!), close(look!)]), [204, 204]);
  house.sendPart(first, noisePng(300));
  assert.deepEqual(await codeOf(await asked), [409, "look_over"]);
  assert.deepEqual(await codeOf(await house.still(look!)), [409, "look_over"]);
  assert.equal(await close(look!), 204);
  const ends = (await house.lines()).filter(({ kind }) => kind === "screen_look_ended");
  assert.deepEqual(ends.map(({ data }) => data), [{ look, stills: 0, from: null, to: null, closed: 1 }]);
  // Another person's call closes nothing, and the other look of the same reason goes on.
  assert.equal(await close(others!, await edge.addPerson({ role: "admin" })), 204);
  const still = house.still(others!);
  await house.show(noisePng(300));
  assert.equal((await still).status, 200);
});

Deno.test("a look that was closed at one edge is closed at the other", async () => {
  await using house = await openStillHouse();
  const [look] = await house.look();
  // What another edge writes.
  await house.edge.ctx.db.execute(`INSERT INTO audit_log (at, kind, actor, device, data)
    SELECT at, 'screen_look_ended', actor, device, json_object('look', id, 'stills', 3, 'closed', 1)
    FROM audit_log WHERE id = ${look}`);
  assert.deepEqual(await codeOf(await house.still(look!)), [409, "look_over"]);
});

Deno.test("five administrators in sessions of their own ask at will, and the phone is asked once in 3 s", async () => {
  await using house = await openStillHouse();
  const people = [house.admin];
  for (let i = 0; i < 4; i++) people.push(await house.edge.addPerson({ role: "admin" }));
  const looks: number[] = [];
  for (const person of people) looks.push((await house.look(undefined, person))[0]!);
  const asked: number[] = [];
  for (let round = 0; round < 3; round++) {
    const all = people.flatMap((
      person,
      at,
    ) => [house.still(looks[at]!, person), house.still(looks[at]!, person)]);
    const { id } = await house.show(noisePng(300 + round));
    asked.push(id);
    for (const answer of await Promise.all(all)) {
      assert.deepEqual([answer.status, (await answer.bytes()).length], [200, 300 + round]);
    }
    assert.equal(house.edge.stills.desk.size, 0);
  }
  assert.deepEqual(asked, [1, 2, 3], "one picture for all ten calls");
});

Deno.test("a look that nobody ends is ended by its time, and by the edge's stop", async () => {
  await using house = await openStillHouse();
  const { edge } = house;
  for (const endsEdge of [false, true]) {
    const [look] = await house.look();
    const asked = house.still(look!);
    await house.show(noisePng(200));
    await (await asked).bytes();
    await edge.stills.shown.endOver();
    const before = (await house.lines()).length;
    if (!endsEdge) edge.clock.now += LOOK_MS;
    await edge.stills.shown.endOver({ all: endsEdge });
    assert.equal((await house.lines()).length, before + 1);
    edge.clock.now += LOOK_MS;
  }
});

Deno.test("no still without a reason of this person, this session and these five minutes", async () => {
  await using house = await openStillHouse();
  const { edge, admin } = house;
  const other = await edge.addPerson({ role: "admin" });
  const [look] = await house.look();
  const sent: string[] = [];
  edge.agents.find(house.site.siteId)!.send = ({ type }) => void sent.push(type);
  assert.deepEqual(await codeOf(await house.still(look! + 1)), [409, "look_over"]);
  assert.deepEqual(await codeOf(await house.still(look!, other)), [409, "look_over"]);
  const login = await edge.visitor.ask("/api/auth/login", {
    method: "POST",
    json: { username: admin.username, password: PROOF.password },
  });
  const cookie = login.headers.getSetCookie().map((one) => one.split(";")[0]).join("; ");
  assert.deepEqual(await codeOf(await house.still(look!, edge.knownPerson({ ...admin, cookie }))), [
    409,
    "look_over",
  ]);
  // Another line of the log is no permission.
  await edge.ctx.db.execute(`INSERT INTO audit_log (at, kind, actor, device, data)
    SELECT at, 'device_command', actor, device, data FROM audit_log WHERE id = ${look}`);
  assert.deepEqual(await codeOf(await house.still(look! + 1)), [409, "look_over"]);
  edge.clock.now += LOOK_MS;
  assert.deepEqual(await codeOf(await house.still(look!)), [409, "look_over"]);
  assert.deepEqual(sent, [], "nothing was asked of the phone");
});

Deno.test("clients see no screen, and a look needs a proof, a reason and phones that exist", async () => {
  await using house = await openStillHouse();
  const { edge, admin, devices } = house;
  const client = await edge.addPerson();
  const [look] = await house.look();
  const before = (await house.lines()).length;
  const post = (json: unknown, person = admin) =>
    person.ask("/api/admin/looks", { method: "POST", json }).then(codeOf);
  const asked = { devices: devices.slice(0, 1), reason: "בדיקה", proof: PROOF };
  assert.deepEqual(await post(asked, client), [403, "not_allowed"]);
  assert.deepEqual(await codeOf(await house.still(look!, client)), [403, "not_allowed"]);
  assert.deepEqual(await post({ ...asked, proof: undefined }), [403, "proof_needed"]);
  assert.deepEqual(await post({ ...asked, proof: { password: "wrong password" } }), [
    401,
    "wrong_credentials",
  ]);
  for (const reason of ["", "  אב ", "א".repeat(201)]) {
    assert.deepEqual(await post({ ...asked, reason }), [400, "invalid_input"], reason);
  }
  assert.deepEqual(await post({ ...asked, devices: [] }), [400, "invalid_input"]);
  assert.deepEqual(await post({ ...asked, devices: [1, 1] }), [400, "invalid_input"]);
  assert.deepEqual(await post({ ...asked, devices: Array.from({ length: 13 }, (_, i) => i + 1) }), [
    400,
    "invalid_input",
  ]);
  assert.deepEqual(await post({ ...asked, devices: [devices[0], 999] }), [404, "not_found"]);
  assert.equal((await house.lines()).length, before, "a refused look writes no line");
});

Deno.test("a phone number in the reason is not kept", async () => {
  await using house = await openStillHouse();
  const json = { devices: house.devices, reason: "תלונה של 054-371-0968", proof: PROOF };
  await house.admin.ask("/api/admin/looks", { method: "POST", json });
  assert.deepEqual((await house.lines()).map(({ data }) => data.reason), ["תלונה של •••", "תלונה של •••"]);
});

Deno.test("callers of one phone share one still, and the next comes 3 s later", async () => {
  await using house = await openStillHouse();
  const [look] = await house.look();
  const asked = [house.still(look!), house.still(look!), house.still(look!)];
  const picture = noisePng(STILL_PART_BYTES * 2);
  const first = await house.next("still");
  house.sendPart(first, picture);
  house.sendPart(await house.next("still"), picture);
  for (const answer of await Promise.all(asked)) assert.deepEqual(await answer.bytes(), picture);
});

Deno.test("an agent of an earlier release is not asked, and the answer says why", async () => {
  await using house = await openStillHouse({ features: [] });
  const [look] = await house.look();
  const answer = await house.still(look!);
  assert.equal(answer.status, 409);
  const { code, error } = await answer.json();
  assert.deepEqual([code, error], [
    "agent_too_old",
    "התוכנה שבאתר ישנה מדי ולא יודעת להראות מסך. נא לעדכן אותה.",
  ]);
});

Deno.test("a phone whose site is away, or connected to another edge, says so", async () => {
  await using house = await openStillHouse();
  const { edge, agent } = house;
  const [look] = await house.look();
  edge.agents.remove(edge.agents.find(house.site.siteId)!);
  assert.deepEqual(
    await codeOf(await house.still(look!)),
    [409, "phone_away"],
    "its last connection ended here",
  );
  await edge.ctx.db.execute("UPDATE sites SET epoch = epoch + 1");
  assert.deepEqual(await codeOf(await house.still(look!)), [409, "site_elsewhere"], "a newer connection");
  await agent[Symbol.asyncDispose]();
  assert.deepEqual(await codeOf(await house.still(look!)), [409, "site_elsewhere"], "heard a moment ago");
  edge.clock.now += 31_000;
  assert.deepEqual(await codeOf(await house.still(look!)), [409, "phone_away"]);
});

for (
  const [why, code] of [
    ["away", "phone_away"],
    ["failed", "no_still"],
    ["not_png", "no_still"],
    ["too_large", "no_still"],
    ["busy", "no_still"],
  ] as const
) {
  Deno.test(`a site's answer "${why}" becomes ${code}, without a line about a still`, async () => {
    await using house = await openStillHouse();
    const [look] = await house.look();
    const asked = house.still(look!);
    const { id } = await house.next("still");
    house.agent.send({ type: "noStill", id, why });
    const answer = await asked;
    const body = await answer.json();
    assert.deepEqual([answer.status, body.code], [409, code]);
    assert.match(body.error, /[א-ת]{3}/);
    await house.edge.stills.shown.endOver({ all: true });
    assert.equal((await house.lines()).length, 1);
  });
}

Deno.test("a site whose connection ends meanwhile gives no still", async () => {
  await using house = await openStillHouse();
  const [look] = await house.look();
  const asked = house.still(look!);
  await house.next("still");
  house.agent.socket.close();
  assert.deepEqual(await codeOf(await asked), [409, "phone_away"]);
  assert.equal(house.edge.stills.desk.size, 0);
});

Deno.test("when the last caller leaves, the site's work ends, and a part on its way harms nobody", async () => {
  await using house = await openStillHouse();
  const [look] = await house.look();
  const [one, two] = [new AbortController(), new AbortController()];
  const asked = [house.still(look!, house.admin, one.signal), house.still(look!, house.admin, two.signal)];
  const first = await house.next("still");
  one.abort();
  assert.deepEqual(await codeOf(await asked[0]!), [400, "invalid_input"]);
  two.abort();
  assert.deepEqual(await codeOf(await asked[1]!), [400, "invalid_input"]);
  assert.deepEqual(await house.next("stillOver"), { type: "stillOver", id: first.id });
  assert.equal(house.edge.stills.desk.size, 0);
  house.sendPart(first, noisePng(900));
  const ack = await house.agent.ask({ type: "heartbeat", journalCounter: 0, at: house.edge.ctx.now() });
  assert.equal(ack?.type, "heartbeatAck", "the connection goes on");
  await house.edge.stills.shown.endOver({ all: true });
  assert.equal((await house.lines()).length, 1, "nobody saw a still");
});

// --- a site that lies ---

const WRONG: Record<string, (part: { id: number; at: number; size: number; data: string }) => object> = {
  "out of order": (part) => ({ ...part, at: part.at + STILL_PART_BYTES }),
  "with another size": (part) => ({ ...part, size: part.size + 1 }),
  "that is too short": (part) => ({ ...part, data: part.data.slice(0, 400) }),
  "that is no base64": (part) => ({ ...part, data: "שלום".repeat(20) }),
};

for (const [name, change] of Object.entries(WRONG)) {
  Deno.test(`a second part ${name} ends the still, and holds no memory`, async () => {
    await using house = await openStillHouse();
    const [look] = await house.look();
    const asked = house.still(look!);
    const picture = noisePng(3 * STILL_PART_BYTES);
    house.sendPart(await house.next("still"), picture);
    const { id, at } = await house.next("still");
    const data = picture.subarray(at, at + STILL_PART_BYTES).toBase64();
    house.agent.send({ type: "stillPart", ...change({ id, at, size: picture.length, data }) } as never);
    assert.deepEqual(await codeOf(await asked), [409, "no_still"]);
    assert.equal(house.edge.stills.desk.size, 0);
  });
}

Deno.test("a whole picture that is no PNG is not shown", async () => {
  await using house = await openStillHouse();
  const [look] = await house.look();
  const html = new TextEncoder().encode("<script>alert(1)</script>".repeat(40));
  const huge = noisePng(400);
  new DataView(huge.buffer).setUint32(16, 60_000);
  const tall = noisePng(400);
  new DataView(tall.buffer).setUint32(16, 1);
  new DataView(tall.buffer).setUint32(20, 100_000);
  const bomb = noisePng(400);
  new DataView(bomb.buffer).setUint32(16, 5_000);
  new DataView(bomb.buffer).setUint32(20, 5_000);
  const animated = noisePng(400);
  animated.set(new TextEncoder().encode("fdAT"), 37);
  for (const bytes of [html, huge, tall, bomb, animated]) {
    const asked = house.still(look!);
    await house.show(bytes);
    assert.deepEqual(await codeOf(await asked), [409, "no_still"]);
    house.edge.clock.now += 3_000;
  }
});

Deno.test("a part that nobody asked for ends the connection", async () => {
  await using house = await openStillHouse();
  house.agent.send({ type: "stillPart", id: 1, at: 0, size: 4, data: "AAAA" });
  assert.equal((await house.agent.closed).code, CLOSE.badFrame);
});

Deno.test("a part that comes twice ends the connection, and the still with it", async () => {
  await using house = await openStillHouse();
  const [look] = await house.look();
  const asked = house.still(look!);
  const first = await house.next("still");
  const picture = noisePng(3 * STILL_PART_BYTES);
  house.sendPart(first, picture);
  await house.next("still");
  house.sendPart(first, picture);
  // The second copy counts as the answer to the second ask, which it does not fit.
  assert.deepEqual(await codeOf(await asked), [409, "no_still"]);
  house.sendPart(first, picture);
  assert.equal((await house.agent.closed).code, CLOSE.badFrame);
});

Deno.test("a frame larger than a part is no frame", async () => {
  await using house = await openStillHouse();
  const [look] = await house.look();
  const asked = house.still(look!);
  const { id } = await house.next("still");
  house.agent.send({ type: "stillPart", id, at: 0, size: 8_000_000, data: "A".repeat(STILL_PART_BYTES * 2) });
  assert.equal((await house.agent.closed).code, CLOSE.badFrame);
  assert.deepEqual(await codeOf(await asked), [409, "phone_away"]);
});

Deno.test("a site cannot answer for another site's phone", async () => {
  await using house = await openStillHouse();
  const { edge } = house;
  const { joinToken } = await createSite(edge.ctx, "עפולה");
  const other = await (await FakeSite.enroll(house.origin, joinToken, edge.ctx.now)).connect();
  other.hello([], []);
  await other.read();
  other.send(inventoryOf("C"));
  const [look] = await house.look();
  const asked = house.still(look!);
  const first = await house.next("still");
  house.sendPart(first, noisePng(300, 1), other);
  assert.equal((await other.closed).code, CLOSE.badFrame);
  house.sendPart(first, noisePng(300, 2));
  assert.deepEqual(await (await asked).bytes(), noisePng(300, 2));
});

Deno.test("at most four stills of a site are on their way; the fifth follows one of them", async () => {
  await using house = await openStillHouse({ phones: ["A", "B", "C", "D", "E"] });
  const looks = await house.look(house.devices);
  const asked = looks.map((look) => house.still(look));
  const first = [];
  for (let i = 0; i < 4; i++) first.push(await house.next("still"));
  await until(() => house.edge.stills.desk.size === 5);
  house.agent.send({ type: "noStill", id: first[0]!.id, why: "failed" });
  const fifth = await house.next("still");
  const asks = [...first, fifth].map(({ device }) => device);
  assert.equal(new Set(asks).size, 5, `${asks}`);
  for (const still of [...first.slice(1), fifth]) house.sendPart(still, noisePng(300));
  const statuses = (await Promise.all(asked)).map(({ status }) => status);
  assert.deepEqual(statuses.filter((status) => status === 200).length, 4);
});

Deno.test("one person waits for a bounded number of stills", async () => {
  await using house = await openStillHouse();
  const [look] = await house.look();
  const asked = Array.from({ length: 25 }, () => house.still(look!));
  await house.show(noisePng(300));
  const statuses = (await Promise.all(asked)).map(({ status }) => status);
  assert.deepEqual(statuses.filter((status) => status === 429).length, 1);
});

Deno.test("stills that nobody reads count as under way", async () => {
  await using house = await openStillHouse();
  const { edge } = house;
  const [look] = await house.look();
  // Each answer is longer than a piece, and nobody reads it.
  for (let i = 0; i < 24; i++) {
    const asked = house.still(look!);
    await house.show(noisePng(2 * STILL_PART_BYTES));
    assert.equal((await asked).status, 200);
    edge.clock.now += 3_000;
  }
  assert.equal((await house.still(look!)).status, 429);
});

Deno.test("a still is in no table, in no event and in no log of the edge", async () => {
  await using house = await openStillHouse();
  const { edge } = house;
  const [look] = await house.look();
  const picture = noisePng(STILL_PART_BYTES + 100);
  const asked = house.still(look!);
  await house.show(picture);
  await (await asked).bytes();
  await house.admin.ask(`/api/admin/looks/${look}`, { method: "DELETE" });
  const traces = [picture.subarray(100, 130), picture.subarray(0, 16), picture.subarray(-80, -40)];
  const everything = JSON.stringify(edge.logged);
  for (const trace of traces) {
    assert.ok(!everything.includes(trace.toBase64().slice(0, 16)) && !everything.includes(trace.toHex()));
  }
  const { rows: tables } = await edge.ctx.db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'");
  for (const { name } of tables) {
    const { rows } = await edge.ctx.db.execute(`SELECT * FROM "${name}"`);
    for (const value of rows.flatMap((row) => Object.values(row))) {
      if (value instanceof ArrayBuffer) assert.ok(value.byteLength < picture.length, String(name));
      for (const trace of traces) {
        assert.ok(!String(value).includes(trace.toBase64().slice(0, 16)), String(name));
      }
    }
  }
  const file = new TextDecoder("latin1").decode(await Deno.readFile(edge.database.path));
  for (const trace of traces) assert.ok(!file.includes(new TextDecoder("latin1").decode(trace)));
});
