/** Every route that accepts a file, with a clamd that finds something or gives no answer. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { adminAlertsSchema, adminHealthSchema } from "shared/admin_api.ts";
import { auditPageSchema } from "shared/audit.ts";
import { makeList } from "../testing/list_acts.ts";
import { makeCampaign } from "../testing/make_campaign.ts";
import { allRows } from "../testing/all_rows.ts";
import { CLEAN, EICAR, startFakeClamd } from "../testing/fake_clamd.ts";
import { openTestApp, type TestApp } from "../testing/test_app.ts";
import { openClamd } from "./clamd.ts";
import type { Scan } from "../context.ts";

const PICTURE = await Deno.readFile(new URL("../campaigns/testdata/picture.png", import.meta.url));
const LIST = Buffer.from("שם,טלפון\nא,0501234567\n");

const still = (_ms: number, signal: AbortSignal) =>
  new Promise<void>((done) => signal.addEventListener("abort", () => done()));

/** Returns a form that the route accepts, with `more` after the bytes of its file. */
function formFor(call: string, more: string): FormData {
  const end = Buffer.from(more);
  const form = new FormData();
  const isImage = call === "POST /api/campaigns" || call.endsWith("/image");
  if (isImage) form.set("image", new File([PICTURE, end], "סתיו 0501234567.png"));
  else form.set("file", new File([LIST, end], "לקוחות 0501234567.csv"));
  if (call === "POST /api/campaigns") ["name", "message"].forEach((name) => form.set(name, "סתיו"));
  if (call === "POST /api/admin/files") form.set("target", "suppressions");
  return form;
}

/** Returns the documented routes whose body is a form. */
async function callsWithFiles(edge: TestApp): Promise<string[]> {
  const { paths } = await (await edge.visitor.ask("/api/openapi.json")).json();
  type Call = { requestBody?: { content: Record<string, unknown> } };
  return Object.entries<Record<string, Call>>(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { requestBody }]) => "multipart/form-data" in (requestBody?.content ?? {}))
      .map(([method]) => `${method.toUpperCase()} ${path}`)
  );
}

/** Opens an edge whose client and administrator send a file to every route that accepts one. */
async function openHouse(scan: Scan) {
  const edge = await openTestApp({ scan });
  const client = await edge.addPerson();
  const admin = await edge.addPerson({ role: "admin" });
  const campaign = await makeCampaign(edge.ctx, { client: client.id, status: "draft" });
  const list = await makeList(client);
  const calls = await callsWithFiles(edge);
  assert.equal(calls.length, 7, calls.join());
  return {
    edge,
    client,
    admin,
    calls,
    async send(call: string, more: string): Promise<{ status: number; code?: string; error?: string }> {
      const [method, path] = call.replace("{id}", `${call.includes("/lists/") ? list : campaign}`).split(
        " ",
      ) as [string, string];
      const person = path.startsWith("/api/admin/") ? admin : client;
      const answer = await person.ask(path, { method, body: formFor(call, more) });
      return { ...await answer.json(), status: answer.status };
    },
    /** Everything in the database except the audit log and the state of clamd. */
    async kept() {
      const { audit_log: _, system: __, ...tables } = await allRows(edge.ctx.db);
      return tables;
    },
    [Symbol.asyncDispose]: () => edge[Symbol.asyncDispose](),
  };
}

function taken({ status, error }: { status: number; error?: string }): void {
  assert.ok(status < 300, `${status} ${error}`);
}

Deno.test("every upload refuses a file with a virus, keeps nothing of it, and audits the sender and the finding", async (t) => {
  await using clamd = startFakeClamd();
  await using house = await openHouse(openClamd(clamd.address, { sleep: still }));
  for (const call of house.calls) {
    await t.step(call, async () => {
      const before = await house.kept();
      const refused = await house.send(call, EICAR);
      assert.deepEqual([refused.status, refused.code], [400, "file_infected"]);
      assert.match(refused.error!, /^בקובץ נמצאה תוכנה זדונית, והוא לא נקלט\. נא /);
      assert.deepEqual(await house.kept(), before);
      taken(await house.send(call, ""));
    });
  }
  const page = await (await house.admin.ask("/api/admin/audit?kind=file_infected")).json();
  const { items } = auditPageSchema.parse(page);
  const lines = items.map(({ actorName, text }) => `${actorName}: ${text}`);
  const sentence = (who: string, file: string) =>
    `${who}: הקובץ ${file} נדחה: נמצאה בו תוכנה זדונית, Eicar-Test-Signature`;
  const { client, admin } = house;
  assert.deepEqual(
    lines.sort(),
    house.calls.map((call) =>
      sentence(
        call.includes("/admin/") ? admin.username : client.username,
        formFor(call, "").has("image") ? "סתיו •••.png" : "לקוחות •••.csv",
      )
    ).sort(),
  );
});

Deno.test("every upload is refused while clamd gives no verdict, and accepted when it does again", async (t) => {
  let isWell = false;
  await using clamd = startFakeClamd(() => isWell ? CLEAN : "Can't allocate memory ERROR\0");
  await using house = await openHouse(openClamd(clamd.address, { sleep: still }));
  for (const call of house.calls) {
    await t.step(call, async () => {
      isWell = false;
      const before = await house.kept();
      const refused = await house.send(call, "");
      assert.deepEqual([refused.status, refused.code], [503, "not_ready"]);
      assert.match(
        refused.error!,
        /ולכן הוא לא נקלט\. אפשר לנסות שוב בעוד רגע\.$/,
      );
      assert.deepEqual(await house.kept(), before);
      isWell = true;
      taken(await house.send(call, ""));
    });
  }
  const errors = house.edge.logged.map((line) => JSON.parse(line)).filter(({ level }) => level === "error");
  assert.equal(errors.length, house.calls.length);
  for (const { event, error, requestId } of errors) {
    assert.deepEqual([event, error], ["scan_failed", "clamd refused: Can't allocate memory"]);
    assert.ok(requestId);
  }
});

Deno.test("an alert shows that clamd is silent since the first unscanned file, until it answers again", async () => {
  let isWell = false;
  await using clamd = startFakeClamd(() => isWell ? CLEAN : "");
  await using house = await openHouse(openClamd(clamd.address, { sleep: still }));
  const { edge, admin } = house;
  const alerts = async () =>
    adminAlertsSchema.parse(await (await admin.ask("/api/admin/alerts")).json()).items;
  const scan = async () => adminHealthSchema.parse(await (await admin.ask("/api/admin/health")).json()).scan;
  const upload = () => house.send("POST /api/campaigns", "");
  assert.deepEqual(await alerts(), []);
  assert.equal(await scan(), "on");
  const since = edge.clock.now;
  await upload();
  edge.clock.now += 60_000;
  await upload();
  const [alert, ...rest] = await alerts();
  assert.deepEqual([alert!.code, alert!.type, alert!.since, rest], ["scan_silent", "error", since, []]);
  assert.match(alert!.message, /^אי אפשר להעלות קבצים: clamd, שבודק אותם, לא ענה\. /);
  assert.equal(await scan(), "silent");
  delete edge.ctx.scan;
  assert.deepEqual(await alerts(), [], "where nothing is scanned any more");
  assert.equal(await scan(), "off");
  edge.ctx.scan = openClamd(clamd.address, { sleep: still });
  isWell = true;
  await upload();
  assert.deepEqual(await alerts(), []);
  assert.equal(await scan(), "on");
});

Deno.test("a form without a file asks clamd nothing", async () => {
  await using house = await openHouse(() => {
    throw new Error("asked");
  });
  const form = new FormData();
  ["name", "message"].forEach((name) => form.set(name, "סתיו"));
  const made = await house.client.ask("/api/campaigns", { method: "POST", body: form });
  assert.equal(made.status, 201);
});
