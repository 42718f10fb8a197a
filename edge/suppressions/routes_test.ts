import assert from "node:assert/strict";
import { suppressionPageSchema, suppressionsAddedSchema } from "shared/suppressions_api.ts";
import { openAdminHouse } from "../testing/admin_house.ts";
import { PROOF, type TestPerson } from "../testing/test_app.ts";
import { sendNew } from "../testing/queue_acts.ts";

type Asker = Pick<TestPerson, "ask">;

async function add(person: Asker, numbers: string) {
  const answer = await person.ask("/api/suppressions", { method: "POST", json: { numbers } });
  return answer.status === 200 ? suppressionsAddedSchema.parse(await answer.json()) : answer.status;
}

async function list(person: Asker, query = "") {
  return suppressionPageSchema.parse(await (await person.ask(`/api/suppressions${query}`)).json());
}

async function remove(person: Asker, ids: number[]) {
  const json = { proof: PROOF, ids };
  return (await (await person.ask("/api/suppressions", { method: "DELETE", json })).json()).removed;
}

Deno.test("/api/suppressions returns a client's own list, and to administrators the list for all, masked", async () => {
  await using house = await openAdminHouse();
  const [dana, yossi] = [await house.edge.addPerson(), await house.edge.addPerson()];
  assert.deepEqual(await add(dana!, "054-371-0968, 0501\n0543710968\n052-1234567"), {
    added: 2,
    duplicates: 1,
    invalid: 1,
    problems: [{ row: 1, text: "0501", problem: "too_short" }],
    skipped: 0,
    recalled: 0,
  });
  await add(house.admin, "0531111111");
  assert.deepEqual((await list(dana!)).items.map(({ phone, source }) => [phone, source]), [
    ["+972521234567", "manual"],
    ["+972543710968", "manual"],
  ]);
  assert.deepEqual((await list(yossi!)).items, []);
  assert.deepEqual((await list(house.admin)).items.map(({ phone }) => phone), ["+97253•••1111"]);
  assert.equal(await add(dana!, "nothing"), 400);
});

Deno.test("POST /api/suppressions removes numbers from waiting work: a client's own, an administrator's of all", async () => {
  await using house = await openAdminHouse();
  const campaign = await sendNew(house.fleet, 4);
  const stranger = await house.edge.addPerson();
  const [first, second] = campaign.phones;
  assert.equal((await add(stranger, first!) as { skipped: number }).skipped, 0);
  assert.equal((await add(house.admin, `${first}\n${second}`) as { skipped: number }).skipped, 2);
  assert.deepEqual(await house.fleet.states(campaign.id), ["skipped", "skipped", "queued", "queued"]);
});

Deno.test("/api/suppressions is searched by a number's beginning, and read page by page", async () => {
  await using house = await openAdminHouse();
  const dana = await house.edge.addPerson();
  await add(dana, Array.from({ length: 25 }, (_, index) => `05212345${10 + index}`).join("\n"));
  await add(dana, "0541111111");
  assert.equal((await list(dana, "?q=054")).items.length, 1);
  assert.equal((await list(dana, "?q=052-123")).items.length, 25);
  assert.equal((await list(dana, "?q=abc")).items.length, 0);
  for (const copied of ["\u2068054-1111111\u2069", "541111111", "\u200e+972 54"]) {
    assert.equal((await list(dana, `?q=${encodeURIComponent(copied)}`)).items.length, 1, copied);
  }
  const first = await list(dana, "?limit=20");
  const second = await list(dana, `?limit=20&cursor=${first.nextCursor}`);
  assert.deepEqual([first.items.length, second.items.length, second.nextCursor], [20, 6, null]);
});

Deno.test("administrators search /api/suppressions by the shown digits of a number, or by the whole number", async () => {
  await using house = await openAdminHouse();
  await add(house.admin, "0541111111\n0541234567");
  const counts = await Promise.all(
    ["054", "0541", "054-123", "054123456", "0541234567", "541234567"].map(async (q) =>
      (await list(house.admin, `?q=${q}`)).items.length
    ),
  );
  assert.deepEqual(counts, [2, 0, 0, 0, 1, 1]);
});

Deno.test("DELETE /api/suppressions removes a person's own entries, and keeps a recipient's request on a client's list", async () => {
  await using house = await openAdminHouse();
  const [dana, yossi] = [await house.edge.addPerson(), await house.edge.addPerson()];
  await add(dana!, "0541111111\n0542222222");
  await house.fleet.ctx.db.execute("UPDATE suppressions SET source = 'reply' WHERE id = 1");
  await add(house.admin, "0543333333");
  assert.equal(await remove(yossi!, [1, 2, 3]), 0);
  assert.equal(await remove(dana!, [1, 2, 3]), 1);
  assert.deepEqual((await list(dana!)).items.map(({ id }) => id), [1]);
  assert.equal(await remove(house.admin, [3]), 1);
  assert.equal((await dana!.ask("/api/suppressions", { method: "DELETE", json: { ids: [] } })).status, 400);
});

Deno.test("GET /api/suppressions.csv returns a person's whole list, masked for administrators, and is audited", async () => {
  await using house = await openAdminHouse();
  const dana = await house.edge.addPerson();
  await add(dana, Array.from({ length: 1_200 }, (_, index) => `05212${30_000 + index}`).join("\n"));
  await add(house.admin, "0543710968");
  const csvOf = async (person: Asker) =>
    (await (await person.ask("/api/suppressions.csv")).text()).split("\r\n");
  const lines = await csvOf(dana);
  assert.deepEqual([lines[0], lines.length], ['"מספר","מקור","נוסף"', 1_202]);
  assert.match(lines[1]!, /^"052-123-1199","הוקלד","\d{4}-\d\d-\d\d \d\d:\d\d:\d\d"$/);
  assert.match((await csvOf(house.admin))[1]!, /^"054-•••-0968"/);
  const { rows } = await house.fleet.ctx.db.execute(
    "SELECT count(*) AS n FROM audit_log WHERE kind = 'exported'",
  );
  assert.equal(rows[0]?.n, 2);
});

Deno.test("POST /api/suppressions/file adds any number of entries to one's own list, and removes them from waiting work", async () => {
  await using house = await openAdminHouse();
  const dana = await house.edge.addPerson({ messageQuota: 4 });
  const campaign = await sendNew(house.fleet, 2, dana);
  const rows = Array.from({ length: 4_500 }, (_, index) => `אדם,05212${30_000 + index}`);
  const upload = async (person: TestPerson, text: string) => {
    const form = new FormData();
    form.set("file", new File([text], "הסרות.csv", { type: "text/csv" }));
    return await person.ask("/api/suppressions/file", { method: "POST", body: form });
  };
  const answer = await upload(dana, ["שם,טלפון", campaign.phones[0], ...rows, rows[0], "שגוי,12"].join("\n"));
  assert.deepEqual(suppressionsAddedSchema.parse(await answer.json()), {
    added: 4_500,
    duplicates: 1,
    invalid: 2,
    problems: [
      { row: 2, text: "", problem: "empty" },
      { row: 4504, text: "12", problem: "too_short" },
    ],
    skipped: 0,
    recalled: 0,
  });
  const second = await upload(dana, `טלפון\n${campaign.phones[0]}\n`);
  assert.equal(suppressionsAddedSchema.parse(await second.json()).skipped, 1);
  assert.equal((await list(dana, "?limit=1")).items[0]!.source, "file");
  assert.deepEqual((await list(house.admin)).items, []);
  assert.equal((await upload(dana, "אין כאן מספרים")).status, 400);
});

Deno.test("a file changes nothing when its user is disabled while it arrives", async () => {
  await using house = await openAdminHouse();
  const thief = await house.edge.addPerson({ role: "admin" });
  const form = new FormData();
  form.set("file", new File(["0543710968\n"], "a.csv"));
  const whole = new Response(form);
  const bytes = new Uint8Array(await whole.arrayBuffer());
  // The stream produces data only when the edge reads it.
  const body = new ReadableStream({
    async pull(controller) {
      await house.admin.ask(`/api/users/${thief.id}`, {
        method: "PATCH",
        json: { proof: PROOF, disabled: true },
      });
      controller.enqueue(bytes);
      controller.close();
    },
  }, { highWaterMark: 0 });
  const headers = { "content-type": whole.headers.get("content-type")! };
  const answer = await thief.ask("/api/suppressions/file", { method: "POST", headers, body });
  assert.equal(answer.status, 401);
  assert.deepEqual((await list(house.admin)).items, []);
});

Deno.test("POST /api/suppressions/file adds a long list by its numbers, so that each commit writes few pages", async () => {
  await using house = await openAdminHouse();
  const dana = await house.edge.addPerson();
  const phones = Array.from({ length: 1_200 }, (_, i) => 540_000_000 + (i * 7_368_787) % 9_999_991);
  const file = new FormData();
  file.append("file", new File([phones.map((phone) => `0${phone}\n`).join("")], "a.csv"));
  const answer = await dana.ask("/api/suppressions/file", { method: "POST", body: file });
  assert.equal((await answer.json()).added, 1_200);
  const { rows } = await house.edge.ctx.db.execute("SELECT phone FROM suppressions ORDER BY id");
  assert.deepEqual(
    rows.map(({ phone }) => Number(phone)),
    phones.map((phone) => 972_000_000_000 + phone).sort((a, b) => a - b),
  );
});
