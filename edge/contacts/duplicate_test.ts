import assert from "node:assert/strict";
import { MAX_NAME_CHARS } from "shared/campaign.ts";
import type { Client } from "@libsql/client/web";
import { removeDeadImports } from "./remove_import.ts";
import type { EdgeContext } from "../context.ts";
import { blockNumber } from "../privacy/blocked.ts";
import { auditQueue } from "../queue/audit.ts";
import { suppressPhone } from "../testing/suppress_phone.ts";
import { countTurns } from "../testing/count_turns.ts";
import { countRoundTrips } from "../testing/count_round_trips.ts";
import { type Fleet, openFleet } from "../testing/fleet.ts";
import { makeCampaign } from "../testing/make_campaign.ts";
import { duplicateCampaign, nameOfCopy } from "./duplicate.ts";
import { readCampaign } from "../campaigns/read.ts";

const FIRST = 972_540_000_001;
const SLICE = 1_500;

async function addList(fleet: Fleet, count: number) {
  const client = await fleet.addClient(0);
  const user = { ...client, username: "", role: "client" as const, duty: "owner" as const, sessionHash: "" };
  const id = await makeCampaign(fleet.ctx, { client: client.id, rows: { queued: count } });
  return { client, campaign: () => readCampaign(fleet.ctx, user, id) };
}

async function phonesOf(fleet: Fleet, campaign: number): Promise<number[]> {
  const sql = "SELECT phone FROM deliveries WHERE campaign = ? ORDER BY id";
  const { rows } = await fleet.ctx.db.execute({ sql, args: [campaign] });
  return rows.map(({ phone }) => Number(phone));
}

const from = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);

for (const remote of [false, true]) {
  const where = remote ? "in a remote database" : "in a file";
  Deno.test(`duplicateCampaign() copies by the rules of uploads, in the order of the numbers, ${where}`, async () => {
    await using fleet = await openFleet({ remote });
    const { client, campaign } = await addList(fleet, SLICE + 6);
    const { id } = await campaign();
    const [own, everybodys, erased] = [FIRST + 1, FIRST + SLICE + 1, FIRST + 3];
    await suppressPhone(fleet.ctx, { phone: `+${own}`, client: client.id, source: "manual" });
    await suppressPhone(fleet.ctx, { phone: `+${everybodys}`, client: 0, source: "manual" });
    await fleet.ctx.db.execute(blockNumber(fleet.ctx, erased));
    await fleet.ctx.db.execute(
      `UPDATE deliveries SET phone = -id WHERE campaign = ${id} AND phone = ${FIRST}`,
    );
    const copy = await duplicateCampaign(fleet.ctx, await campaign(), "all");
    const copied = await phonesOf(fleet, copy);
    const expected = from(FIRST + 1, SLICE + 5).filter((phone) => ![own, everybodys, erased].includes(phone));
    assert.deepEqual(copied, expected);
    const row = await fleet.one(
      `SELECT c.status, c.queued_count, c.running_import, i.status AS ended, i.added, i.suppressed
       FROM campaigns c JOIN imports i ON i.campaign = c.id WHERE c.id = ${copy}`,
    );
    assert.deepEqual({ ...row }, {
      status: "ready",
      queued_count: SLICE + 2,
      running_import: null,
      ended: "completed",
      added: SLICE + 2,
      suppressed: 3,
    });
    assert.deepEqual(await auditQueue(fleet.ctx.db), []);
  });
}

Deno.test("duplicateCampaign() of an advertisement leaves out numbers without consent, and stores them as left out", async () => {
  await using fleet = await openFleet();
  const { client, campaign } = await addList(fleet, SLICE + 3);
  const { id } = await campaign();
  await fleet.ctx.db.execute(`UPDATE campaigns SET kind = 'marketing' WHERE id = ${id}`);
  await fleet.ctx.db.batch([
    `INSERT INTO consent_declarations (id, client, at, user, basis, source, campaign)
      VALUES (1, ${client.id}, 0, ${client.id}, 'existing_customer', '', ${id})`,
    `INSERT INTO consents (client, phone, declaration)
      SELECT ${client.id}, phone, 1 FROM deliveries WHERE campaign = ${id} AND phone <> ${FIRST + 2}`,
  ], "write");
  const copy = await duplicateCampaign(fleet.ctx, await campaign(), "all");
  assert.equal((await phonesOf(fleet, copy)).length, SLICE + 2);
  const row = await fleet.one(
    `SELECT unconsented_count, (SELECT phone FROM unconsented WHERE campaign = c.id) AS phone,
      (SELECT without_consent FROM imports WHERE campaign = c.id) AS without_consent FROM campaigns c WHERE id = ${copy}`,
  );
  assert.deepEqual({ ...row }, { unconsented_count: 1, phone: FIRST + 2, without_consent: 1 });
});

Deno.test("duplicateCampaign() takes one round trip per slice to a remote database, and holds no transaction open", async () => {
  await using fleet = await openFleet();
  const roundTrips = countRoundTrips(fleet.ctx.db);
  const copyOf = async (count: number) => {
    const { campaign } = await addList(fleet, count);
    const source = await campaign();
    roundTrips.taken();
    await duplicateCampaign({ ...fleet.ctx, db: withoutTransactions(roundTrips.db) }, source, "all");
    return roundTrips.taken();
  };
  const one = await copyOf(3);
  assert.ok(one <= 6, `${one} round trips`);
  assert.equal(await copyOf(2 * SLICE + 3), one + 2);
});

Deno.test("a copy is named as one, its copy is counted, and a long name is cut within its bound", () => {
  assert.equal(nameOfCopy("סתיו"), "סתיו (עותק)");
  assert.equal(nameOfCopy("סתיו (עותק)"), "סתיו (עותק 2)");
  assert.equal(nameOfCopy("סתיו (עותק 9)"), "סתיו (עותק 10)");
  assert.equal(nameOfCopy("עותק"), "עותק (עותק)");
  const long = nameOfCopy("😀".repeat(MAX_NAME_CHARS / 2));
  assert.ok(long.length <= MAX_NAME_CHARS && long.endsWith("😀 (עותק)"), long);
});

Deno.test("a copy yields to the event loop between two slices", async () => {
  await using fleet = await openFleet();
  const slices = 6;
  const { campaign } = await addList(fleet, slices * SLICE);
  const source = await campaign();
  using turns = countTurns();
  await duplicateCampaign(fleet.ctx, source, "all");
  assert.ok(turns.count >= slices, `${turns.count} turns`);
});

Deno.test("a copy that fails leaves nothing, and its source unchanged", async () => {
  await using fleet = await openFleet();
  const { campaign } = await addList(fleet, 2 * SLICE);
  const source = await campaign();
  const failing = { ...fleet.ctx, db: withBatches(fleet.ctx.db, (no) => no === 3 ? "fails" : "works") };
  await assert.rejects(duplicateCampaign(failing, source, "all"), /the disk is full/);
  assert.deepEqual(
    { ...await fleet.one("SELECT count(*) AS n, max(queued_count) AS queued FROM campaigns") },
    {
      n: 1,
      queued: 2 * SLICE,
    },
  );
  const left = await fleet.one(
    "SELECT (SELECT count(*) FROM deliveries) AS rows, (SELECT count(*) FROM imports) AS imports",
  );
  assert.deepEqual({ ...left }, { rows: 2 * SLICE, imports: 0 });
});

for (const [when, diesAt] of [["it began", 2], ["its first slice", 3]] as const) {
  Deno.test(`a copy whose process dies after ${when} is removed by another edge`, async () => {
    await using fleet = await openFleet();
    const { client, campaign } = await addList(fleet, 2 * SLICE);
    const source = await campaign();
    const dying = { ...fleet.ctx, db: withBatches(fleet.ctx.db, (no) => no >= diesAt ? "fails" : "works") };
    await assert.rejects(duplicateCampaign(dying, source, "all"), /the disk is full/);
    const copy = "(SELECT max(id) FROM campaigns)";
    assert.deepEqual(
      {
        ...await fleet.one(
          `SELECT status, queued_count, running_import IS NOT NULL AS is_held FROM campaigns WHERE id = ${copy}`,
        ),
      },
      { status: "draft", queued_count: (diesAt - 2) * SLICE, is_held: 1 },
    );
    await suppressPhone(fleet.ctx, { phone: `+${FIRST + 1}`, client: client.id, source: "manual" });
    fleet.pass(61_000);
    while (await removeDeadImports(fleet.ctx) > 0);
    const left = await fleet.one(
      `SELECT (SELECT group_concat(id) FROM campaigns) AS campaigns, (SELECT count(*) FROM imports) AS imports,
        (SELECT count(*) FROM deliveries) AS rows`,
    );
    assert.deepEqual({ ...left }, { campaigns: String(source.id), imports: 0, rows: 2 * SLICE });
    assert.deepEqual(await auditQueue(fleet.ctx.db), []);
  });
}

Deno.test("a copy that was given up as silent adds nothing more", async () => {
  await using fleet = await openFleet();
  const { campaign } = await addList(fleet, 3 * SLICE);
  const source = await campaign();
  const frozen = withBatches(fleet.ctx.db, (no) => {
    if (no === 3) fleet.pass(31_000);
    return "works";
  });
  await assert.rejects(duplicateCampaign({ ...fleet.ctx, db: frozen }, source, "all"), /it was given up/);
  const { n } = await fleet.one("SELECT count(*) AS n FROM deliveries");
  assert.equal(n, 3 * SLICE);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

/** Returns the same client; `fate` decides by number what happens to each writing batch, the first is 1. */
function withBatches(db: Client, fate: (no: number) => "works" | "fails"): EdgeContext["db"] {
  let no = 0;
  return new Proxy(db, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      if (name !== "batch") return value.bind(target);
      return (...args: Parameters<Client["batch"]>) => {
        return fate(++no) === "fails" ? Promise.reject(new Error("the disk is full")) : db.batch(...args);
      };
    },
  });
}

function withoutTransactions(db: Client): Client {
  let finishes = 0;
  return new Proxy(db, {
    get(target, name) {
      const value = Reflect.get(target, name);
      // The last one writes the result and unlocks the campaign.
      if (name === "transaction") assert.equal(++finishes, 1, "a transaction was opened for a slice");
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
