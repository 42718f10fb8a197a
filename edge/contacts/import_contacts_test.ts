import assert from "node:assert/strict";
import { HttpError } from "../http/http_error.ts";
import { sendCampaign } from "../queue/send.ts";
import { suppressPhone } from "../testing/suppress_phone.ts";
import { type Fleet, openFleet } from "../testing/fleet.ts";
import { type ContactSource, importContacts, runImport } from "./import_contacts.ts";
import { MAX_PART } from "./insert_contacts.ts";
import { removeDeadImports, removeImport } from "./remove_import.ts";

const encoder = new TextEncoder();

function csv(lines: string[]): ContactSource {
  return { fileName: "list.csv", file: encoder.encode(lines.join("\r\n")) };
}

async function addDraft(fleet: Fleet, client: { id: number }) {
  const { rows } = await fleet.ctx.db.execute({
    sql:
      `INSERT INTO campaigns (client, name, message, created_at, updated_at) VALUES (?, 'מבצע', 'שלום', 0, 0)
      RETURNING id`,
    args: [client.id],
  });
  return { id: Number(rows[0].id), client: client.id, kind: "undeclared" as const };
}

async function phonesOf(fleet: Fleet, campaign: number): Promise<number[]> {
  const { rows } = await fleet.ctx.db.execute({
    sql: "SELECT phone FROM deliveries WHERE campaign = ? ORDER BY id",
    args: [campaign],
  });
  return rows.map((row) => Number(row.phone));
}

async function codeOf(act: Promise<unknown>): Promise<string> {
  const error = await act.then(() => assert.fail("was not refused"), (error) => error);
  assert.ok(error instanceof HttpError, String(error));
  return error.code;
}

function stateOf(fleet: Fleet, campaign: number) {
  return fleet.one(`SELECT status, queued_count, running_import FROM campaigns WHERE id = ${campaign}`);
}

Deno.test("importContacts() adds a list in its order and makes the campaign ready", async () => {
  await using fleet = await openFleet();
  const campaign = await addDraft(fleet, await fleet.addClient(0));
  const { importId, result } = await importContacts(
    fleet.ctx,
    campaign,
    csv(["שם,טלפון", "דני,054-371-0968", "רות,0501234567", "שוב,+972501234567", "קצר,123", "ג,0521111111"]),
  );
  assert.deepEqual(result, {
    importId,
    total: 3,
    duplicatesRemoved: 1,
    invalid: 1,
    suppressed: 0,
    withoutConsent: 0,
    problems: [{ row: 5, text: "123", problem: "too_short" }],
  });
  assert.deepEqual(await phonesOf(fleet, campaign.id), [972543710968, 972501234567, 972521111111]);
  assert.deepEqual(await stateOf(fleet, campaign.id), {
    status: "ready",
    queued_count: 3,
    running_import: null,
  });
  const row = await fleet.one(
    `SELECT status, file_name, total_rows, processed_rows, added, duplicates, invalid, suppressed, error
      FROM imports WHERE id = ${importId}`,
  );
  assert.deepEqual(row, {
    status: "completed",
    file_name: "list.csv",
    total_rows: 5,
    processed_rows: 5,
    added: 3,
    duplicates: 1,
    invalid: 1,
    suppressed: 0,
    error: null,
  });
});

Deno.test("importContacts() adds the head of a long list in its order, and the rest by number", async () => {
  await using fleet = await openFleet();
  const campaign = await addDraft(fleet, await fleet.addClient(0));
  const phones = Array.from({ length: MAX_PART + 1 }, (_, i) => 972_530_000_000 + i).reverse();
  const asWritten = (list: number[]) => csv(list.map((phone) => `0${String(phone).slice(3)}`));
  await importContacts(fleet.ctx, campaign, asWritten(phones));
  const added = await phonesOf(fleet, campaign.id);
  assert.deepEqual(added.slice(0, 1_000), phones.slice(0, 1_000));
  assert.deepEqual(added.slice(1_000), phones.slice(1_000).reverse());
  const { result } = await importContacts(fleet.ctx, campaign, asWritten(phones));
  assert.deepEqual([result.total, result.duplicatesRemoved], [0, phones.length]);

  const short = await addDraft(fleet, await fleet.addClient(0));
  await importContacts(fleet.ctx, short, asWritten(phones.slice(1)));
  assert.deepEqual(await phonesOf(fleet, short.id), phones.slice(1));
});

Deno.test("importContacts() counts numbers that are already in the campaign as removed duplicates", async () => {
  await using fleet = await openFleet();
  const campaign = await addDraft(fleet, await fleet.addClient(0));
  await importContacts(fleet.ctx, campaign, csv(["0501234567", "0501234568"]));
  const again = await importContacts(fleet.ctx, campaign, csv(["0501234568", "0501234569", "0501234569"]));
  assert.deepEqual([again.result.total, again.result.duplicatesRemoved], [1, 2]);
  const nothingNew = await importContacts(fleet.ctx, campaign, { fileName: "", numbers: "050-1234567" });
  assert.deepEqual([nothingNew.result.total, nothingNew.result.duplicatesRemoved], [0, 1]);
  assert.equal((await stateOf(fleet, campaign.id)).queued_count, 3);
});

Deno.test("importContacts() leaves out numbers suppressed for all or for this client, and counts them", async () => {
  await using fleet = await openFleet();
  const client = await fleet.addClient(0);
  const other = await fleet.addClient(0);
  await fleet.ctx.db.execute({
    sql: `INSERT INTO suppressions (client, phone, source, at) VALUES
      (0, 972501234567, 'test', 0), (?, 972501234568, 'test', 0), (?, 972501234569, 'test', 0)`,
    args: [client.id, other.id],
  });
  const campaign = await addDraft(fleet, client);
  const lines = ["0501234567", "0501234568", "0501234569", "0501234570", "0501234570"];
  const { result } = await importContacts(fleet.ctx, campaign, csv(lines));
  assert.deepEqual([result.total, result.suppressed, result.duplicatesRemoved], [2, 2, 1]);
  assert.deepEqual(await phonesOf(fleet, campaign.id), [972501234569, 972501234570]);
});

Deno.test("importContacts() of suppressed numbers alone leaves the campaign a draft", async () => {
  await using fleet = await openFleet();
  await fleet.ctx.db.execute("INSERT INTO suppressions (phone, source, at) VALUES (972501234567, 'test', 0)");
  const campaign = await addDraft(fleet, await fleet.addClient(0));
  const { result } = await importContacts(fleet.ctx, campaign, csv(["0501234567"]));
  assert.deepEqual([result.total, result.suppressed], [0, 1]);
  assert.deepEqual(await stateOf(fleet, campaign.id), {
    status: "draft",
    queued_count: 0,
    running_import: null,
  });
});

Deno.test("importContacts() refuses a source without a valid number, says why, and frees the campaign", async () => {
  await using fleet = await openFleet();
  const campaign = await addDraft(fleet, await fleet.addClient(0));
  const refused: [ContactSource, string][] = [
    [csv(["טלפון", "9.72501E+11"]), "אקסל קיצר את המספרים, למשל ״9.72501E+11״ בשורה 2, ואי אפשר לשחזר אותם."],
    [csv(["טלפון", "050123", "1"]), "בשתי שורות המספר לא תקין, למשל ״050123״ בשורה 2."],
    [{ fileName: "", numbers: "דני ורות" }, "בשורה אחת המספר לא תקין, למשל ״דני ורות״ בשורה 1."],
  ];
  for (const [source, sentence] of refused) {
    const error = await importContacts(fleet.ctx, campaign, source).catch((error) => error);
    assert.ok(error instanceof HttpError);
    assert.equal(error.code, "no_valid_contacts");
    assert.ok(error.body.error.startsWith(sentence), error.body.error);
    const { status, error: noted } = await fleet.one("SELECT status, error FROM imports ORDER BY id DESC");
    assert.deepEqual([status, noted], ["error", error.body.error]);
  }
  assert.deepEqual(await stateOf(fleet, campaign.id), {
    status: "draft",
    queued_count: 0,
    running_import: null,
  });
});

Deno.test("importContacts() accepts one of two uploads at a time, and send waits for it", async () => {
  await using fleet = await openFleet();
  const client = await fleet.addClient(100);
  const { id } = await fleet.addCampaign(client, 1);
  const campaign = { id, client: client.id, kind: "undeclared" as const };
  const first = importContacts(fleet.ctx, campaign, csv(["0501234567"]));
  const [second, send] = [
    codeOf(importContacts(fleet.ctx, campaign, csv(["0501234568"]))),
    codeOf(sendCampaign(fleet.ctx, client, id)),
  ];
  assert.deepEqual(await Promise.all([second, send]), ["import_running", "import_running"]);
  assert.equal((await first).result.total, 1);
  assert.equal((await sendCampaign(fleet.ctx, client, id)).remainingQuota, 98);
  assert.equal(
    await codeOf(importContacts(fleet.ctx, campaign, csv(["0501234568"]))),
    "campaign_not_editable",
  );
});

Deno.test("importContacts() that fails half-way leaves none of its contacts, and keeps the others", async () => {
  await using fleet = await openFleet();
  const campaign = await addDraft(fleet, await fleet.addClient(0));
  await importContacts(fleet.ctx, campaign, csv(["0501234567"]));
  // The database fails after the first commit of 50,000.
  await fleet.ctx.db.execute(`CREATE TRIGGER full BEFORE INSERT ON deliveries WHEN NEW.phone = 972520059000
    BEGIN SELECT RAISE(ABORT, 'disk full'); END`);
  const lines = Array.from({ length: 60_000 }, (_, index) => `05200${String(index).padStart(5, "0")}`);
  await assert.rejects(importContacts(fleet.ctx, campaign, csv(lines)), /disk full/);
  assert.deepEqual(await phonesOf(fleet, campaign.id), [972501234567]);
  assert.deepEqual(await stateOf(fleet, campaign.id), {
    status: "ready",
    queued_count: 1,
    running_import: null,
  });
});

Deno.test("removeDeadImports() frees a campaign whose import died with its process", async () => {
  await using fleet = await openFleet();
  const client = await fleet.addClient(0);
  const { id } = await fleet.addCampaign(client, 3);
  await fleet.ctx.db.executeMultiple(`
    INSERT INTO imports (id, campaign, file_name, status, created_at, updated_at)
      VALUES (7, ${id}, 'list.csv', 'processing', ${fleet.ctx.now()}, ${fleet.ctx.now()});
    INSERT INTO deliveries (campaign, phone, import, updated_at)
      WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n LIMIT 4500)
      SELECT ${id}, 972520000000 + value, 7, 0 FROM n;
    UPDATE campaigns SET running_import = 7, queued_count = 4503 WHERE id = ${id};
  `);

  assert.equal(await removeDeadImports(fleet.ctx), 0);
  await suppressPhone(fleet.ctx, { phone: "+972520000001", client: 0, source: "manual" });
  fleet.pass(61_000);
  while (await removeDeadImports(fleet.ctx) > 0);
  assert.deepEqual(await stateOf(fleet, id), { status: "ready", queued_count: 3, running_import: null });
  assert.equal(
    (await phonesOf(fleet, id)).length,
    4,
    "who asked meanwhile to be left alone is no longer queued",
  );
  assert.equal((await fleet.one("SELECT status FROM imports")).status, "error");
});

Deno.test("removeImport() of a process that wakes late does not free the campaign for a send during the next import", async () => {
  await using fleet = await openFleet();
  const campaign = await addDraft(fleet, await fleet.addClient(9));
  const now = fleet.ctx.now();
  await fleet.ctx.db.executeMultiple(`
    INSERT INTO imports (id, campaign, file_name, status, created_at, updated_at)
      VALUES (7, ${campaign.id}, 'first.csv', 'processing', ${now}, ${now});
    UPDATE campaigns SET running_import = 7 WHERE id = ${campaign.id}`);
  fleet.pass(61_000);
  while (await removeDeadImports(fleet.ctx) > 0);
  await importContacts(fleet.ctx, campaign, csv(["0501234567"]));
  await runImport(
    fleet.ctx,
    campaign,
    { fileName: "second.csv", user: campaign.client },
    async ({ importId }) => {
      await removeImport(fleet.ctx, { importId: 7, campaign: campaign.id, client: campaign.client }, "נכשל");
      assert.deepEqual(await stateOf(fleet, campaign.id), {
        status: "ready",
        queued_count: 1,
        running_import: importId,
      });
      assert.equal(
        await codeOf(
          sendCampaign(fleet.ctx, { client: campaign.client, person: campaign.client }, campaign.id),
        ),
        "import_running",
      );
      const none = { total: 0, duplicatesRemoved: 0, invalid: 0, suppressed: 0, withoutConsent: 0 };
      return { result: { importId, ...none, problems: [] } };
    },
  );
});

Deno.test("importContacts() that was silent for too long stops and leaves nothing", async () => {
  await using fleet = await openFleet();
  const campaign = await addDraft(fleet, await fleet.addClient(0));
  const everAdded = async () =>
    (await fleet.ctx.db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'deliveries'")).rows.length;
  let wakes = 0;
  const beforeRows = {
    ...fleet.ctx,
    randomBytes(length: number) {
      fleet.pass(31_000);
      return fleet.ctx.randomBytes(length);
    },
  };
  // One event at the start, then one for its rows.
  const behindRows = { ...fleet.ctx, wakeOutbox: () => void (++wakes === 2 && fleet.pass(31_000)) };
  for (const [frozen, added] of [[beforeRows, 0], [behindRows, 1]] as const) {
    await assert.rejects(importContacts(frozen, campaign, csv(["0501234567"])), /it was given up/);
    assert.deepEqual(await stateOf(fleet, campaign.id), {
      status: "draft",
      queued_count: 0,
      running_import: null,
    });
    assert.equal(await everAdded(), added);
  }
});

Deno.test("importContacts() sends its progress to the owner and the administrators", async () => {
  await using fleet = await openFleet();
  const client = await fleet.addClient(0);
  const campaign = await addDraft(fleet, client);
  const { importId } = await importContacts(fleet.ctx, campaign, csv(["0501234567", "0501234568"]));
  const { rows } = await fleet.ctx.db.execute(
    "SELECT client, for_admins, data FROM events WHERE type = 'import_progress' ORDER BY id",
  );
  assert.deepEqual(rows.map((row) => [row.client, row.for_admins, JSON.parse(String(row.data))]), [
    [client.id, 1, { campaignId: campaign.id, importId, rows: 2, done: false }],
    [client.id, 1, { campaignId: campaign.id, importId, rows: 2, done: true }],
  ]);
});
