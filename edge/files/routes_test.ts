import assert from "node:assert/strict";
import { type Client, type InStatement, LibsqlError } from "@libsql/client/web";
import { type FileItem, fileItemSchema, filePageSchema } from "shared/admin_api.ts";
import { NUMBERS_SHOWN_MS } from "shared/privacy.ts";
import type { EdgeContext } from "../context.ts";
import { makeWorkbook, textRows } from "../testing/make_workbook.ts";
import { makeCampaign } from "../testing/make_campaign.ts";
import { MAX_PART } from "../contacts/insert_contacts.ts";
import { isBusy } from "../db/sqlite_error.ts";
import { timeClient } from "../operations/timed_client.ts";
import { type AdminHouse, openAdminHouse } from "../testing/admin_house.ts";
import { inTransaction } from "../db/in_transaction.ts";
import { tablesThatHold } from "../testing/number_traces.ts";
import { sendNew } from "../testing/queue_acts.ts";
import { runAllDueTicks } from "../ticks.ts";
import { IMPORT_CLAIM_MS, runImports } from "./run_imports.ts";
import { PROOF } from "../testing/test_app.ts";

const encoder = new TextEncoder();

function upload(
  house: AdminHouse,
  target: string,
  text: string | Uint8Array<ArrayBuffer>,
  name = "רשימה.csv",
) {
  const form = new FormData();
  form.set("file", new File([text], name));
  form.set("target", target);
  return house.admin.ask("/api/admin/files", { method: "POST", body: form });
}

async function queued(answer: Response): Promise<FileItem> {
  assert.equal(answer.status, 202, await answer.clone().text());
  return fileItemSchema.parse(await answer.json());
}

async function file(house: AdminHouse, id: number): Promise<FileItem> {
  return fileItemSchema.parse(await house.read(`/api/admin/files/${id}`));
}

async function runAll(ctx: EdgeContext) {
  while (await runImports(ctx) > 0);
}

/** Returns a draft of a client with quota. */
async function addDraft(house: AdminHouse) {
  const client = await house.edge.addPerson({ username: "משק הדר", messageQuota: 100 });
  return { client, id: await makeCampaign(house.fleet.ctx, { client: client.id, status: "draft" }) };
}

Deno.test("POST /api/admin/files queues a file for a client's draft; a tick imports it, and the client sends", async () => {
  await using house = await openAdminHouse();
  const { client, id } = await addDraft(house);
  const made = await queued(
    await upload(house, String(id), "שם,טלפון\nא,0501234567\nב,0501234567\nג,12\nד,0521111111\n"),
  );
  assert.deepEqual(made, {
    ...made,
    name: "רשימה.csv",
    status: "queued",
    progress: 0,
    by: "person-1",
    target: { kind: "campaign", campaignId: id, campaign: "סתיו", client: "משק הדר" },
    startedAt: null,
    finishedAt: null,
    hasRejected: false,
    canRetry: false,
  });
  const send = () => client.ask(`/api/campaigns/${id}/send`, { method: "POST" });
  assert.equal((await (await send()).json()).code, "import_running");
  assert.equal((await (await upload(house, String(id), "0501111111")).json()).code, "import_running");

  await runAll(house.fleet.ctx);
  const done = await file(house, made.id);
  const { status, progress, totalRows, processedRows, added, duplicates, invalid, suppressed } = done;
  assert.deepEqual([status, progress, totalRows, processedRows], ["completed", 100, 4, 4]);
  assert.deepEqual([added, duplicates, invalid, suppressed], [2, 1, 1, 0]);
  assert.deepEqual([done.hasRejected, done.canRetry, done.error], [true, false, null]);
  const { rows } = await house.fleet.ctx.db.execute("SELECT kind FROM import_chunks");
  assert.deepEqual(rows.map(({ kind }) => kind), ["rejected"], "the file itself is not kept");
  assert.equal((await send()).status, 200);
});

Deno.test("GET /api/admin/files/{id}/rejected.csv lists the rows without a number, safe for a spreadsheet", async () => {
  await using house = await openAdminHouse();
  const { client, id } = await addDraft(house);
  const { id: fileId } = await queued(
    await upload(house, String(id), 'שם,טלפון\nא,0501234567\nב,"=HYPERLINK(""x"")"\nג,050\n'),
  );
  await runAll(house.fleet.ctx);
  const answer = await house.admin.ask(`/api/admin/files/${fileId}/rejected.csv`);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  assert.deepEqual(bytes.subarray(0, 3), Uint8Array.of(0xef, 0xbb, 0xbf));
  assert.deepEqual(new TextDecoder().decode(bytes).trimEnd().split("\r\n"), [
    '"שורה","מה כתוב בה","מה לא תקין"',
    `"3","'=HYPERLINK(""x"")","לא מספר טלפון"`,
    '"4","050","המספר קצר מדי"',
  ]);
  const own = await client.ask(`/api/campaigns/${id}/imports/${fileId}/rejected.csv`);
  assert.deepEqual(new Uint8Array(await own.arrayBuffer()), bytes, "its client reads the same");
  assert.equal((await client.ask(`/api/campaigns/${id}/imports/99/rejected.csv`)).status, 404);
  assert.equal((await house.admin.ask("/api/admin/files/99/rejected.csv")).status, 404);
});

Deno.test("a client's own upload also keeps its rejected rows, even when no row was valid", async () => {
  await using house = await openAdminHouse();
  const { client, id } = await addDraft(house);
  const paste = (numbers: string) =>
    client.ask(`/api/campaigns/${id}/contacts/manual`, { method: "POST", json: { numbers } });
  const { importId } = await (await paste("0501234567\n0501")).json();
  const csv = await (await client.ask(`/api/campaigns/${id}/imports/${importId}/rejected.csv`)).text();
  assert.ok(csv.includes('"2","0501","המספר קצר מדי"'));
  assert.equal((await paste("0502")).status, 400);
  const failed = await client.ask(`/api/campaigns/${id}/imports/${importId + 1}/rejected.csv`);
  assert.ok((await failed.text()).includes('"1","0502"'));
});

Deno.test("rejected rows mask the numbers of a client's recipients for administrators", async () => {
  await using house = await openAdminHouse();
  const { client, id } = await addDraft(house);
  const numbers = "0501234567\n054-371-09680521234567\n0543710968/0521234567";
  const { importId } = await (await client.ask(`/api/campaigns/${id}/contacts/manual`, {
    method: "POST",
    json: { numbers },
  })).json();
  const paths = [
    `/api/campaigns/${id}/imports/${importId}/rejected.csv`,
    `/api/admin/files/${importId}/rejected.csv`,
  ];
  const asAdmin = async () =>
    await Promise.all(paths.map(async (path) => (await house.admin.ask(path)).text()));
  const own = await (await client.ask(paths[0]!)).text();
  assert.match(own, /1234567/, "its client reads what was pasted");
  for (const csv of await asAdmin()) {
    assert.doesNotMatch(csv, /0968|1234567|4567/);
    assert.equal(csv.split("\r\n").length, own.split("\r\n").length, "every row is there");
  }
  const json = { proof: PROOF, reason: "בדיקה של תלונה" };
  await house.admin.ask(`/api/admin/campaigns/${id}/numbers`, { method: "POST", json });
  assert.deepEqual(await asAdmin(), [own, own], "but to who said why");
  house.fleet.pass(NUMBERS_SHOWN_MS);
  for (const csv of await asAdmin()) assert.doesNotMatch(csv, /0968|1234567|4567/, "for a while");
});

Deno.test("a file for the suppression list removes its numbers from waiting work, and is counted", async () => {
  await using house = await openAdminHouse();
  const campaign = await sendNew(house.fleet, 5);
  const numbers = campaign.phones.slice(0, 2).join("\n");
  const { id } = await queued(await upload(house, "suppressions", `${numbers}\n0521111111\n0521111111\nx1`));
  await runAll(house.fleet.ctx);
  const done = await file(house, id);
  assert.deepEqual(done.target, { kind: "suppressions" });
  assert.deepEqual([done.status, done.added, done.duplicates, done.invalid], ["completed", 3, 1, 1]);
  assert.deepEqual(await house.fleet.states(campaign.id), [
    "skipped",
    "skipped",
    "queued",
    "queued",
    "queued",
  ]);
  const again = await queued(await upload(house, "suppressions", numbers));
  await runAll(house.fleet.ctx);
  const second = await file(house, again.id);
  assert.deepEqual([second.status, second.added, second.duplicates], ["completed", 0, 2]);
});

Deno.test("an unreadable file shows the reason, frees its campaign, and may be uploaded again", async () => {
  await using house = await openAdminHouse();
  const { id } = await addDraft(house);
  const cases: [string | Uint8Array<ArrayBuffer>, RegExp][] = [
    ["שם,עיר\nא,חיפה\n", /^לא נמצאה עמודה עם מספרי טלפון\. בשורה הראשונה יש: שם, עיר\.$/],
    [new TextEncoder().encode("%PDF-1.7"), /^זה לא קובץ CSV/],
    ["", /^אין בקובץ שורות/],
    ["טלפון\n050\n", /^בשורה אחת המספר לא תקין/],
  ];
  for (const [text, error] of cases) {
    const { id: fileId } = await queued(await upload(house, String(id), text));
    await runAll(house.fleet.ctx);
    const failed = await file(house, fileId);
    assert.equal(failed.status, "error");
    assert.match(failed.error!, error);
    if (text !== "") assert.equal(failed.canRetry, true);
    const { running_import } = await house.fleet.one(`SELECT running_import FROM campaigns WHERE id = ${id}`);
    assert.equal(running_import, null);
  }
  const [last] = filePageSchema.parse(await house.read("/api/admin/files?status=error")).items;
  const retry = (fileId: number) => house.admin.ask(`/api/admin/files/${fileId}/retry`, { method: "POST" });
  assert.equal((await queued(await retry(last!.id))).status, "queued");
  assert.equal((await (await retry(last!.id)).json()).code, "invalid_input", "it waits already");
  await runAll(house.fleet.ctx);
  assert.equal((await file(house, last!.id)).status, "error");
  await house.fleet.ctx.db.execute(`UPDATE campaigns SET status = 'completed' WHERE id = ${id}`);
  assert.equal((await (await retry(last!.id)).json()).code, "campaign_not_editable");
  assert.equal((await retry(999)).status, 404);
});

Deno.test("a workbook is queued as the text of its sheet, so that an erasure finds its numbers; a broken one is refused", async () => {
  await using house = await openAdminHouse();
  const { id } = await addDraft(house);
  const workbook = await makeWorkbook({ sheets: { א: textRows(["טלפון"], ["0540000001"], ["0540000002"]) } });
  const { id: fileId } = await queued(await upload(house, String(id), workbook));
  const { bytes } = await house.fleet.one(`SELECT bytes FROM import_chunks WHERE import = ${fileId}`);
  assert.equal(
    new TextDecoder().decode(new Uint8Array(bytes as ArrayBuffer)),
    "טלפון\n0540000001\n0540000002\n",
  );
  await runAll(house.fleet.ctx);
  const taken = await file(house, fileId);
  assert.deepEqual([taken.status, taken.added], ["completed", 2]);
  const broken = await upload(house, "suppressions", workbook.slice(0, 200));
  assert.deepEqual([broken.status, (await broken.json()).code], [415, "unsupported_media"]);
});

Deno.test("POST /api/admin/files refuses a file without a target before anything is stored", async () => {
  await using house = await openAdminHouse();
  const { client } = await addDraft(house);
  const sent = await makeCampaign(house.fleet.ctx, {
    client: client.id,
    status: "active",
    rows: { queued: 1 },
  });
  const code = async (answer: Response) => [answer.status, (await answer.json()).code];
  assert.deepEqual(await code(await upload(house, "99", "0501234567")), [404, "not_found"]);
  assert.deepEqual(await code(await upload(house, String(sent), "0501234567")), [
    409,
    "campaign_not_editable",
  ]);
  for (const target of ["", "all", "-1", "1.5"]) {
    assert.deepEqual(await code(await upload(house, target, "0501234567")), [400, "invalid_input"], target);
  }
  const tooBig = new Uint8Array(10 * 1024 * 1024 + 1);
  assert.deepEqual(await code(await upload(house, "suppressions", tooBig)), [413, "body_too_large"]);
  const { n } = await house.fleet.one(
    "SELECT (SELECT count(*) FROM imports) + (SELECT count(*) FROM import_chunks) AS n",
  );
  assert.equal(n, 0);
});

Deno.test("GET /api/admin/files lists clients' uploads too, by status and by name, page by page", async () => {
  await using house = await openAdminHouse();
  const { client, id } = await addDraft(house);
  const form = new FormData();
  form.set("file", new File(["0501234567"], "לקוחות.csv"));
  await client.ask(`/api/campaigns/${id}/contacts`, { method: "POST", body: form });
  await client.ask(`/api/campaigns/${id}/contacts/manual`, {
    method: "POST",
    json: { numbers: "0521234567" },
  });
  await queued(await upload(house, "suppressions", "0531234567", "הסרה.csv"));
  const list = async (query = "") => filePageSchema.parse(await house.read(`/api/admin/files${query}`));
  const { items } = await list();
  assert.deepEqual(items.map(({ name, status, by }) => [name, status, by]), [
    ["הסרה.csv", "queued", "person-1"],
    ["לקוחות.csv", "completed", "משק הדר"],
  ]);
  assert.deepEqual((await list("?status=completed")).items.map(({ id }) => id), [items[1]!.id]);
  assert.deepEqual((await list(`?q=${encodeURIComponent("הדר")}`)).items.map(({ id }) => id), [items[1]!.id]);
  const first = await list("?limit=1");
  assert.deepEqual((await list(`?limit=1&cursor=${first.nextCursor}`)).items.map(({ id }) => id), [
    items[1]!.id,
  ]);
});

Deno.test("stored pieces of files are deleted with their campaign, and those of earlier releases after a time", async () => {
  await using house = await openAdminHouse();
  const { ctx } = house.fleet;
  const { client, id } = await addDraft(house);
  const [rejected, failed] = ["+97254000000912", "+972540000008"];
  await queued(await upload(house, String(id), `0540000001\n${rejected}`));
  await runAll(ctx);
  // A failed file stays complete, so that it can be tried again.
  await ctx.db.execute({
    sql: "INSERT INTO import_chunks (import, kind, no, bytes) SELECT id, 'raw', 0, ? FROM imports",
    args: [encoder.encode(failed)],
  });
  assert.deepEqual(await tablesThatHold(ctx.db, rejected!), ["import_chunks"]);
  assert.equal((await client.ask(`/api/campaigns/${id}`, { method: "DELETE" })).status, 204);
  for (const phone of [rejected, failed]) assert.deepEqual(await tablesThatHold(ctx.db, phone!), []);

  await ctx.db.execute("INSERT INTO import_chunks (import, kind, no, bytes) VALUES (999, 'raw', 0, x'00')");
  await runAllDueTicks(ctx);
  assert.deepEqual(await house.fleet.one("SELECT count(*) AS n FROM import_chunks"), { n: 0 });
});

Deno.test("runImports() takes over an import that another instance left unfinished", async () => {
  await using house = await openAdminHouse();
  const { ctx } = house.fleet;
  const { id } = await addDraft(house);
  const numbers = Array.from({ length: 120_000 }, (_, index) => `05${40_000_000 + index}`);
  const { id: fileId } = await queued(await upload(house, String(id), numbers.join("\n")));
  // Its clock jumps past the end of its turn after the first part.
  let asked = 0;
  const short = { ...ctx, now: () => ctx.now() + (++asked > 5 ? 60_000 : 0) };
  await runImports(short);
  const half = await house.fleet.one(`SELECT status, worker, taken, added FROM imports WHERE id = ${fileId}`);
  assert.equal(half.status, "processing");
  assert.ok(Number(half.taken) > 0 && Number(half.taken) < 120_000, `${half.taken}`);
  assert.equal(half.taken, half.added);

  // A process that froze in the middle still holds its claim. Another takes over, and the frozen one's next step
  // changes nothing.
  await ctx.db.execute({
    sql: "UPDATE imports SET worker = 'frozen', updated_at = ? WHERE id = ?",
    args: [ctx.now(), fileId],
  });
  assert.equal(await runImports(ctx), 0, "it may still be at it");
  await ctx.db.execute(`UPDATE imports SET updated_at = updated_at + ${IMPORT_CLAIM_MS + 1}`);
  assert.equal(await runImports(ctx), 1, "nor does a clock that was ahead hold it for ever");
  await runAll(ctx);
  const done = await file(house, fileId);
  assert.deepEqual([done.status, done.added, done.duplicates, done.processedRows], [
    "completed",
    120_000,
    0,
    120_000,
  ]);
  const { rows } = await ctx.db.execute(`SELECT phone FROM deliveries WHERE campaign = ${id} ORDER BY id`);
  assert.deepEqual(
    rows.map(({ phone }) => `0${String(phone).slice(3)}`),
    numbers,
    "in the order of the file",
  );
});

Deno.test("runImports() keeps its claim on a failed file while it removes the rows it had added", async () => {
  await using house = await openAdminHouse();
  const { ctx } = house.fleet;
  const { id } = await addDraft(house);
  const numbers = Array.from({ length: 6_000 }, (_, index) => `05${40_000_000 + index}`);
  const { id: fileId } = await queued(await upload(house, String(id), numbers.join("\n")));
  const others: number[] = [];
  let transactions = 0;
  const db = {
    protocol: ctx.db.protocol,
    execute: (one: InStatement) => ctx.db.execute(one),
    transaction: () => {
      if (++transactions === 3) throw new Error("Cannot finish: the disk says no");
      return ctx.db.transaction("write");
    },
    // A slow database: another instance looks for work after each removed slice.
    batch: async (all: InStatement[]) => {
      const answers = await ctx.db.batch(all, "write");
      house.fleet.pass(IMPORT_CLAIM_MS - 1_000);
      if (transactions === 3) others.push(await runImports(ctx));
      return answers;
    },
  } as unknown as Client;
  await runImports({ ...ctx, db });
  assert.ok(others.length > 1);
  assert.deepEqual(others, others.map(() => 0), "it was never another's");
  assert.equal((await file(house, fileId)).status, "error");
  assert.deepEqual(
    await house.fleet.one(`SELECT queued_count, running_import, (SELECT count(*) FROM deliveries) AS rows
      FROM campaigns WHERE id = ${id}`),
    { queued_count: 0, running_import: null, rows: 0 },
  );
});

Deno.test("runImports() stops at its next step when another instance has taken over the file", async () => {
  await using house = await openAdminHouse();
  const { ctx } = house.fleet;
  const { id } = await addDraft(house);
  const numbers = Array.from({ length: 120_000 }, (_, index) => `05${40_000_000 + index}`);
  const { id: fileId } = await queued(await upload(house, String(id), numbers.join("\n")));
  let steps = 0;
  let taken: Promise<unknown> | undefined;
  const wakeOutbox = () => {
    if (++steps === 2) {
      taken = inTransaction(ctx.db, (tx) => tx.execute("UPDATE imports SET worker = 'another'"));
    }
  };
  assert.equal(await runImports({ ...ctx, wakeOutbox }), 1);
  await taken;
  const left = await house.fleet.one(`SELECT status, worker, taken, added FROM imports WHERE id = ${fileId}`);
  assert.deepEqual(left, { status: "processing", worker: "another", taken: 50_000, added: 50_000 });
  const { n } = await house.fleet.one("SELECT count(*) AS n FROM deliveries");
  assert.equal(n, 50_000, "nothing of the step it lost");
  house.fleet.pass(IMPORT_CLAIM_MS);
  await runAll(ctx);
  assert.equal((await file(house, fileId)).added, 120_000);
  const { rows: events } = await ctx.db.execute(
    "SELECT data ->> '$.rows' AS so_far FROM events WHERE type = 'import_progress' ORDER BY id",
  );
  assert.deepEqual(events.map((row) => row.so_far), [50_000, 100_000, 120_000, 120_000], "where it was left");
});

Deno.test("runImports() leaves a file for the next claim when another program holds the database", async () => {
  await using house = await openAdminHouse();
  const { ctx } = house.fleet;
  const { id } = await addDraft(house);
  const { id: fileId } = await queued(await upload(house, String(id), "0501234567\n0521234567"));
  const transaction = () => Promise.reject(new LibsqlError("database is locked", "SQLITE_BUSY"));
  const db = { ...timeClient(ctx.db, () => 0, () => {}), transaction };
  await assert.rejects(runImports({ ...ctx, db }), isBusy);
  assert.equal((await file(house, fileId)).status, "processing");
  house.fleet.pass(IMPORT_CLAIM_MS);
  await runAll(ctx);
  const { status, added } = await file(house, fileId);
  assert.deepEqual([status, added], ["completed", 2]);
});

Deno.test("runImports() of ten instances at once imports every file once", async () => {
  await using house = await openAdminHouse();
  const { client } = await addDraft(house);
  const ids: number[] = [];
  for (let n = 0; n < 6; n++) {
    const campaign = await makeCampaign(house.fleet.ctx, { client: client.id, status: "draft" });
    ids.push((await queued(await upload(house, String(campaign), "0501234567\n0521234567"))).id);
  }
  await Promise.all(Array.from({ length: 10 }, () => runAll(house.fleet.ctx)));
  for (const id of ids) {
    const { status, added } = await file(house, id);
    assert.deepEqual([status, added], ["completed", 2]);
  }
});

Deno.test("runImports() makes progress in each turn, however slow the machine is", async () => {
  await using house = await openAdminHouse();
  const { ctx } = house.fleet;
  const numbers = Array.from({ length: 5_000 }, (_, index) => `05${40_000_000 + index}`);
  const { id: fileId } = await queued(await upload(house, "suppressions", numbers.join("\n")));
  // More than a turn passes between any two checks of the clock.
  let passed = 0;
  const slow = { ...ctx, now: () => ctx.now() + (passed += 4_000) };
  for (let before = 0, taken = 0; await runImports(slow) > 0; before = taken) {
    taken = Number((await house.fleet.one(`SELECT taken FROM imports WHERE id = ${fileId}`)).taken);
    assert.ok(taken > before, `a turn ended where the one before it had, at ${taken}`);
  }
  assert.equal((await file(house, fileId)).added, 5_000);
});

Deno.test("an import survives kill -9 of its process: another continues, and no number is lost or doubled", async () => {
  await using house = await openAdminHouse();
  const { ctx } = house.fleet;
  const { id } = await addDraft(house);
  const count = 120_000;
  const lines = Array.from({ length: count }, (_, index) => `05${30_000_000 + ((index * 7_919) % count)}`);
  const { id: fileId } = await queued(await upload(house, String(id), encoder.encode(lines.join("\n"))));
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "-q",
      new URL("../testing/import_worker.ts", import.meta.url).pathname,
      house.edge.database.url,
      String(ctx.now()),
    ],
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const output = child.stdout.getReader();
  await output.read();
  child.kill("SIGKILL");
  await child.status;
  await output.cancel();
  const taken = await house.fleet.one(`SELECT taken, status FROM imports WHERE id = ${fileId}`);
  assert.deepEqual(taken, { taken: MAX_PART, status: "processing" }, "the second part was not committed");

  house.fleet.pass(IMPORT_CLAIM_MS);
  await runAll(ctx);
  const done = await file(house, fileId);
  assert.deepEqual([done.status, done.added, done.duplicates, done.totalRows], [
    "completed",
    count,
    0,
    count,
  ]);
  const { n, least, queued_count } = await house.fleet.one(`SELECT count(*) AS n, min(phone) AS least,
    (SELECT queued_count FROM campaigns WHERE id = ${id}) AS queued_count FROM deliveries WHERE campaign = ${id}`);
  assert.deepEqual([n, least, queued_count], [count, 972530000000, count]);
});

Deno.test("a file's name is stored without its number and with its date, for every uploader", async () => {
  await using house = await openAdminHouse();
  const { client, id } = await addDraft(house);
  const { ctx } = house.fleet;
  const name = "של 0543710968 מ-2026-01-15.csv";
  const form = new FormData();
  form.set("file", new File(["phone\n0501234567\n"], name));
  const own = await client.ask(`/api/campaigns/${id}/contacts`, { method: "POST", body: form });
  assert.equal(own.status, 200, await own.text());
  await queued(await upload(house, "suppressions", "phone\n0521111111\n", name));
  await runAll(ctx);
  const { items } = filePageSchema.parse(await house.read("/api/admin/files"));
  assert.deepEqual(items.map((item) => item.name), Array(2).fill("של ••• מ-2026-01-15.csv"));
  const { rows } = await ctx.db.execute("SELECT data FROM audit_log WHERE kind = 'file_imported'");
  assert.deepEqual(rows.map(({ data }) => JSON.parse(String(data)).file), items.map((item) => item.name));
  assert.deepEqual(await tablesThatHold(ctx.db, "+972543710968"), []);
});
