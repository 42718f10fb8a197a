import assert from "node:assert/strict";
import { MAX_PEOPLE } from "shared/duty.ts";
import { type AdminHouse, openAdminHouse } from "../testing/admin_house.ts";
import { paste } from "../testing/advertising.ts";
import { turnOnSecondFactor } from "../testing/second_factor.ts";
import { cookiesOf, PROOF, TEST_PASSWORD, type TestApp, type TestPerson } from "../testing/test_app.ts";
import { runAllDueTicks } from "../ticks.ts";
import { INVITATION_MS } from "./invite.ts";
import { MAX_NAME_TRIES } from "./accept_invitation.ts";

type Asker = Pick<TestPerson, "ask">;

/** Returns the status, and the code of a refusal. */
async function answerOf(person: Asker, path: string, json?: unknown, method = "POST"): Promise<unknown[]> {
  const answer = await person.ask(path, { method, json });
  return answer.ok ? [answer.status] : [answer.status, (await answer.json()).code];
}

async function invite(owner: Asker, duty = "writer", label = "נועה"): Promise<{ id: number; token: string }> {
  const answer = await owner.ask("/api/invitations", { method: "POST", json: { label, duty, proof: PROOF } });
  assert.equal(answer.status, 201, await answer.clone().text());
  const { invitation, token } = await answer.json();
  return { id: invitation.id, token };
}

const accept = (edge: TestApp, token: string, username: string, password = TEST_PASSWORD) =>
  answerOf(edge.visitor, "/api/join", { token, username, password });

async function peopleOf(owner: Asker) {
  return await (await owner.ask("/api/people")).json();
}

/** Returns the sentences and actors of the newest audit lines of `kinds`, newest first. */
async function audited({ read }: AdminHouse, kind: string): Promise<unknown[]> {
  const { items } = await read(`/api/admin/audit?kind=${kind}`) as {
    items: { actorName: string; text: string }[];
  };
  return items.map(({ actorName, text }) => [actorName, text]);
}

async function addDraft(person: Asker, name = "סתיו", kind?: string): Promise<number> {
  const form = new FormData();
  form.set("name", name);
  form.set("message", "שלום");
  if (kind !== undefined) form.set("kind", kind);
  const made = await person.ask("/api/campaigns", { method: "POST", body: form });
  assert.equal(made.status, 201, await made.clone().text());
  return Number((await made.json()).id);
}

Deno.test("an invitation's link adds one person, who works on the owner's rows with the owner's quota", async () => {
  await using house = await openAdminHouse();
  const { edge } = house;
  const owner = await edge.addPerson({ messageQuota: 7 });
  const { token } = await invite(owner, "sender");
  const offered = await edge.visitor.ask("/api/join/look", { method: "POST", json: { token } });
  const { clientName, duty } = await offered.json();
  assert.deepEqual([clientName, duty], [owner.username, "sender"]);
  assert.deepEqual(await accept(edge, token, "Noa"), [204]);
  assert.deepEqual(await accept(edge, token, "somebody"), [409, "invitation_over"], "it works once");

  const json = { username: "noa", password: TEST_PASSWORD };
  const answer = await edge.visitor.ask("/api/auth/login", { method: "POST", json });
  const me = await answer.clone().json();
  assert.deepEqual([me.role, me.messageQuota], ["client", 7]);
  assert.deepEqual(me.colleague, {
    client: owner.id,
    clientName: owner.username,
    duty: "sender",
    waits: false,
  });
  const noa = edge.knownPerson({
    id: me.id,
    client: owner.id,
    person: me.id,
    username: "Noa",
    cookie: cookiesOf(answer),
  });
  const id = await addDraft(noa);
  await paste(noa, id, "0501234567");
  assert.deepEqual(await answerOf(noa, `/api/campaigns/${id}/send`), [200]);
  assert.equal((await (await owner.ask("/api/auth/me")).json()).messageQuota, 6);
  assert.equal((await (await owner.ask("/api/campaigns")).json())[0].id, id);
  const { items } = await (await noa.ask(`/api/users/${owner.id}/ledger`)).json();
  assert.deepEqual([items[0].actor, items[0].actorName], ["client", "Noa"]);
});

Deno.test("the audit log names the person who acted, and not the client", async () => {
  await using house = await openAdminHouse();
  const { edge } = house;
  const owner = await edge.addPerson({ messageQuota: 7 });
  const [writer, sender] = [
    await edge.addColleague(owner, "writer"),
    await edge.addColleague(owner, "sender"),
  ];
  const id = await addDraft(writer);
  const kind = { kind: "service" };
  assert.deepEqual(await answerOf(writer, `/api/campaigns/${id}`, kind, "PATCH"), [200]);
  const file = new FormData();
  file.set("file", new File(["phone\n0501234567"], "list.csv"));
  const uploaded = await writer.ask(`/api/campaigns/${id}/contacts`, { method: "POST", body: file });
  assert.equal(uploaded.status, 200);
  for (const act of ["send", "pause", "resume", "cancel"]) {
    assert.deepEqual(await answerOf(sender, `/api/campaigns/${id}/${act}`), [200], act);
  }
  const by = async (kind: string) => (await audited(house, kind) as string[][]).map(([name]) => name);
  for (const kind of ["campaign_undeclared", "campaign_kind_changed", "file_imported"]) {
    assert.deepEqual(await by(kind), [writer.username], kind);
  }
  for (const kind of ["campaign_sent", "campaign_paused", "campaign_resumed", "campaign_cancelled"]) {
    assert.deepEqual(await by(kind), [sender.username], kind);
  }
  assert.deepEqual(await by("person_invited"), [owner.username, owner.username]);
  assert.deepEqual(await by("person_joined"), [sender.username, writer.username]);
});

Deno.test("removing a person ends their sessions and sockets at once, and frees their name", async () => {
  await using house = await openAdminHouse();
  const { edge } = house;
  const owner = await edge.addPerson();
  const writer = await edge.addColleague(owner, "writer");
  await turnOnSecondFactor(edge, writer);
  const { rows: [session] } = await edge.ctx.db.execute(
    `SELECT id_hash FROM sessions WHERE user = ${writer.id}`,
  );
  assert.equal((await writer.ask("/api/campaigns")).status, 200);
  assert.deepEqual(await answerOf(owner, `/api/people/${writer.id}`, undefined, "DELETE"), [204]);
  assert.deepEqual(await answerOf(writer, "/api/campaigns", undefined, "GET"), [401, "not_logged_in"]);
  const { rows: [event] } = await edge.ctx.db.execute(
    "SELECT data ->> 'sessionHash' AS hash FROM events WHERE type = 'session_ended' ORDER BY id DESC LIMIT 1",
  );
  assert.equal(event.hash, session.id_hash, "every instance closes the sockets of it");
  const login = { username: writer.username, password: TEST_PASSWORD };
  assert.deepEqual(await answerOf(edge.visitor, "/api/auth/login", login), [401, "wrong_credentials"]);
  const { rows: left } = await edge.ctx.db.execute(
    `SELECT user FROM second_factors WHERE user = ${writer.id}
      UNION SELECT user FROM recovery_codes WHERE user = ${writer.id}`,
  );
  assert.deepEqual(left, []);
  assert.equal((await peopleOf(owner)).people.length, 1);
  assert.deepEqual(await answerOf(owner, `/api/people/${writer.id}`, undefined, "DELETE"), [
    404,
    "not_found",
  ]);
  const { token } = await invite(owner);
  assert.deepEqual(await accept(edge, token, writer.username), [204], "the name is free");
  const [[by, text]] = await audited(house, "person_removed") as string[][];
  assert.deepEqual([by, text], [owner.username, `${writer.username} הוסר מהחשבון`]);
});

Deno.test("another duty holds from the person's next call, and the audit log says so", async () => {
  await using house = await openAdminHouse();
  const { edge } = house;
  const owner = await edge.addPerson({ messageQuota: 5 });
  const person = await edge.addColleague(owner, "sender");
  const id = await addDraft(person);
  await paste(person, id, "0501234567");
  const path = `/api/people/${person.id}`;
  const change = (duty: string) => answerOf(owner, path, { duty, proof: PROOF }, "PATCH");
  assert.deepEqual(await change("writer"), [204]);
  assert.deepEqual(await answerOf(person, `/api/campaigns/${id}/send`), [403, "not_allowed"]);
  assert.equal((await person.ask(`/api/campaigns/${id}`)).status, 200);
  assert.deepEqual(await change("writer"), [204], "again changes nothing");
  assert.deepEqual(await change("owner"), [400, "invalid_input"], "an account has one owner");
  assert.deepEqual(await audited(house, "person_duty"), [
    [owner.username, `ההרשאה של ${person.username} בחשבון: הכנה בלי שליחה`],
  ]);
  const own = `/api/people/${owner.id}`;
  assert.deepEqual(await answerOf(owner, own, { duty: "reader", proof: PROOF }, "PATCH"), [404, "not_found"]);
  assert.deepEqual(await answerOf(owner, own, undefined, "DELETE"), [404, "not_found"]);
});

Deno.test("an invitation ends by time, when it is withdrawn, and when its client is disabled", async () => {
  await using house = await openAdminHouse();
  const { edge, admin } = house;
  const owner = await edge.addPerson();
  const late = await invite(owner);
  edge.clock.now += INVITATION_MS;
  assert.deepEqual(await accept(edge, late.token, "late"), [409, "invitation_over"]);
  edge.clock.now -= INVITATION_MS;
  const { id, token } = await invite(owner);
  assert.deepEqual(await answerOf(owner, `/api/invitations/${id}`, undefined, "DELETE"), [204]);
  assert.deepEqual(await accept(edge, token, "late"), [409, "invitation_over"]);
  const open = await invite(owner);
  await admin.ask(`/api/users/${owner.id}`, { method: "PATCH", json: { disabled: true } });
  assert.deepEqual(await accept(edge, open.token, "late"), [409, "invitation_over"]);
  const { rows } = await edge.ctx.db.execute("SELECT username FROM users WHERE works_for IS NOT NULL");
  assert.deepEqual(rows, []);
});

Deno.test("of twenty who use one link at once, one joins", async () => {
  await using house = await openAdminHouse();
  const owner = await house.edge.addPerson();
  const { token } = await invite(owner);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => accept(house.edge, token, `guest-${index}`)),
  );
  assert.equal(answers.filter(([status]) => status === 204).length, 1);
  assert.equal((await peopleOf(owner)).people.length, 2);
});

Deno.test("a link finds out few names of users, and a name holds no phone number", async () => {
  await using house = await openAdminHouse();
  const { edge } = house;
  const owner = await edge.addPerson();
  const { token } = await invite(owner);
  assert.deepEqual(await accept(edge, token, "דנה 050-1234567"), [400, "invalid_input"]);
  assert.deepEqual(await accept(edge, token, "noa", "12345678"), [400, "invalid_input"], "a common password");
  for (let tries = 0; tries < MAX_NAME_TRIES; tries++) {
    assert.deepEqual(await accept(edge, token, owner.username.toUpperCase()), [409, "username_taken"]);
  }
  assert.deepEqual(await accept(edge, token, "noa"), [409, "invitation_over"]);
  const labelled = await owner.ask("/api/invitations", {
    method: "POST",
    json: { label: "נועה 050-1234567", duty: "reader", proof: PROOF },
  });
  assert.ok(!(await labelled.json()).invitation.label.includes("1234567"));
});

Deno.test("an account has a bounded number of people and open invitations", async () => {
  await using house = await openAdminHouse();
  const owner = await house.edge.addPerson();
  for (let made = 0; made < MAX_PEOPLE; made++) await invite(owner);
  const json = { label: "עוד", duty: "reader", proof: PROOF };
  assert.deepEqual(await answerOf(owner, "/api/invitations", json), [409, "too_many_people"]);
  const { invitations } = await peopleOf(owner);
  await answerOf(owner, `/api/invitations/${invitations[0].id}`, undefined, "DELETE");
  assert.deepEqual(await answerOf(owner, "/api/invitations", json), [201]);
});

Deno.test("disabling a client shuts its people out, and enabling it lets them in again", async () => {
  await using house = await openAdminHouse();
  const { edge, admin } = house;
  const owner = await edge.addPerson();
  const writer = await edge.addColleague(owner, "writer");
  const set = (json: object) => admin.ask(`/api/users/${owner.id}`, { method: "PATCH", json });
  assert.equal((await set({ disabled: true })).status, 200);
  assert.deepEqual(await answerOf(writer, "/api/campaigns", undefined, "GET"), [401, "not_logged_in"]);
  const login = { username: writer.username, password: TEST_PASSWORD };
  assert.deepEqual(await answerOf(edge.visitor, "/api/auth/login", login), [401, "wrong_credentials"]);
  const { rows } = await edge.ctx.db.execute(`SELECT 1 FROM sessions WHERE user = ${writer.id}`);
  assert.deepEqual(rows, [], "the sockets close by the event of each session");
  await set({ disabled: false, proof: PROOF });
  assert.deepEqual(await answerOf(edge.visitor, "/api/auth/login", login), [200]);
});

Deno.test("administrators see a client's people, and treat a colleague as any user but for a quota", async () => {
  await using house = await openAdminHouse();
  const { edge, admin, read } = house;
  const owner = await edge.addPerson({ messageQuota: 5 });
  const second = await edge.addPerson();
  const writer = await edge.addColleague(owner, "writer");
  await invite(owner, "reader", "דנה");
  const { people, invitations } = await read(`/api/admin/users/${owner.id}/people`) as Awaited<
    ReturnType<typeof peopleOf>
  >;
  assert.deepEqual(people.map(({ username, duty }: Record<string, unknown>) => [username, duty]), [
    [owner.username, "owner"],
    [writer.username, "writer"],
  ]);
  assert.deepEqual(invitations.map(({ label }: Record<string, unknown>) => label), ["דנה"]);
  for (const id of [writer.id, admin.id, 999]) {
    assert.equal((await admin.ask(`/api/admin/users/${id}/people`)).status, 404);
  }
  const users = await read("/api/users") as { id: number; colleague?: { client: number } }[];
  const ids = users.map(({ id }) => id);
  assert.deepEqual(ids, [admin.id, owner.id, writer.id, second.id], "after their owner");
  assert.equal(users[2]!.colleague?.client, owner.id);
  const quota = await answerOf(admin, `/api/users/${writer.id}/quota`, { messageQuota: 9 }, "PATCH");
  assert.deepEqual(quota, [400, "quota_needs_client"]);
  const correction = { delta: 1, reason: "תיקון של טעות" };
  assert.deepEqual(await answerOf(admin, `/api/users/${writer.id}/quota/corrections`, correction), [
    400,
    "quota_needs_client",
  ]);
  const password = { password: "sisma-aruka-22", proof: PROOF };
  assert.deepEqual(await answerOf(admin, `/api/users/${writer.id}`, password, "PATCH"), [200]);
  assert.equal((await writer.ask("/api/auth/me")).status, 401, "a new password ends their sessions");
});

Deno.test("a removed person is no hit of the administrators' search", async () => {
  await using house = await openAdminHouse();
  const owner = await house.edge.addPerson();
  const reader = await house.edge.addColleague(owner, "reader");
  const hits = async (q: string) => {
    const answer = await house.admin.ask("/api/admin/search", { method: "POST", json: { q } });
    return JSON.stringify(await answer.json());
  };
  assert.ok((await hits(reader.username)).includes(reader.username));
  await answerOf(owner, `/api/people/${reader.id}`, undefined, "DELETE");
  for (const q of [reader.username, `R${reader.id}`]) {
    assert.ok(!(await hits(q)).includes(reader.username), q);
  }
});

Deno.test("the database refuses a campaign of a colleague, whichever edge writes it", async () => {
  await using house = await openAdminHouse();
  const owner = await house.edge.addPerson();
  const writer = await house.edge.addColleague(owner, "writer");
  const add = (client: number) =>
    house.edge.ctx.db.execute({
      sql: `INSERT INTO campaigns (client, name, message, created_at, updated_at) VALUES (?, 'א', 'ב', 0, 0)`,
      args: [client],
    });
  await assert.rejects(add(writer.id), /a colleague has no campaigns/);
  assert.equal((await add(owner.id)).rowsAffected, 1);
});

Deno.test("removed people lose their names after the retention, and their acts stay", async () => {
  await using house = await openAdminHouse();
  const { edge } = house;
  const owner = await edge.addPerson({ messageQuota: 5 });
  const sender = await edge.addColleague(owner, "sender");
  const id = await addDraft(sender);
  await paste(sender, id, "0501234567");
  await answerOf(sender, `/api/campaigns/${id}/send`);
  const stays = await edge.addColleague(owner, "reader");
  await invite(owner, "reader", "דנה");
  await answerOf(owner, `/api/people/${sender.id}`, undefined, "DELETE");
  const nameOf = async (id: number) =>
    (await edge.ctx.db.execute(`SELECT username FROM users WHERE id = ${id}`)).rows[0].username;
  edge.clock.now += 89 * 24 * 60 * 60_000;
  await runAllDueTicks(edge.ctx);
  assert.equal(await nameOf(sender.id), sender.username);
  edge.clock.now += 2 * 24 * 60 * 60_000;
  await runAllDueTicks(edge.ctx);
  assert.equal(await nameOf(sender.id), `הוסר/ה ${sender.id}`);
  assert.equal(await nameOf(stays.id), stays.username);
  const { rows } = await edge.ctx.db.execute("SELECT 1 FROM invitations");
  assert.deepEqual(rows, [], "an invitation that is over leaves no label");
  const { rows: [entry] } = await edge.ctx.db.execute(
    "SELECT actor FROM quota_ledger WHERE kind = 'reserve'",
  );
  assert.equal(entry.actor, sender.id);
  edge.clock.now += 60 * 60_000;
  await runAllDueTicks(edge.ctx);
  const { rows: lines } = await edge.ctx.db.execute(
    "SELECT data FROM audit_log WHERE kind = 'people_forgotten'",
  );
  assert.deepEqual(lines.map(({ data }) => data), ['{"count":1}'], "once");
});
