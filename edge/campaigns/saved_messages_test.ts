import assert from "node:assert/strict";
import { MAX_SAVED, type SavedMessage, savedMessageSchema, savedMessagesSchema } from "shared/saved_api.ts";
import { openTestApp, type TestApp, type TestPerson } from "../testing/test_app.ts";

const PICTURE = await Deno.readFile(new URL("./testdata/picture.png", import.meta.url));
const PHOTO = await Deno.readFile(new URL("./testdata/photo.jpg", import.meta.url));

function formOf(fields: Record<string, string>, image?: Uint8Array<ArrayBuffer>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  if (image) form.set("image", new File([image], "picture.png"));
  return form;
}

const WORDS = { name: "ברכה", message: "שלום {{שם}}", kind: "service" };

async function save(
  person: TestPerson,
  fields = WORDS,
  image?: Uint8Array<ArrayBuffer>,
): Promise<SavedMessage> {
  const answer = await person.ask("/api/saved-messages", { method: "POST", body: formOf(fields, image) });
  assert.equal(answer.status, 201, await answer.clone().text());
  return savedMessageSchema.parse(await answer.json());
}

async function all(person: TestPerson): Promise<SavedMessage[]> {
  return savedMessagesSchema.parse(await (await person.ask("/api/saved-messages")).json()).items;
}

async function images(edge: TestApp): Promise<number> {
  const { rows } = await edge.ctx.db.execute("SELECT count(*) AS n FROM images");
  return Number(rows[0]!.n);
}

async function create(person: TestPerson, fields: Record<string, string>, image?: Uint8Array<ArrayBuffer>) {
  return await person.ask("/api/campaigns", { method: "POST", body: formOf(fields, image) });
}

Deno.test("a saved message keeps its words, kind and image, and says who changed it when", async () => {
  await using edge = await openTestApp();
  const dana = await edge.addPerson();
  const made = await save(dana, WORDS, PICTURE);
  assert.deepEqual([made.message, made.kind, made.changedBy, made.updatedAt], [
    "שלום {{שם}}",
    "service",
    dana.username,
    edge.clock.now,
  ]);
  assert.equal((await dana.ask(made.imageUrl!)).headers.get("content-type"), "image/png");
  edge.clock.now += 5_000;
  const answer = await dana.ask(`/api/saved-messages/${made.id}`, {
    method: "PUT",
    body: formOf({ ...WORDS, message: "שלום", kind: "marketing", seen: String(made.updatedAt) }),
  });
  const changed = savedMessageSchema.parse(await answer.json());
  assert.deepEqual([changed.message, changed.kind, changed.imageUrl], ["שלום", "marketing", made.imageUrl]);
  assert.deepEqual([changed.createdAt, changed.updatedAt], [made.createdAt, edge.clock.now]);
});

Deno.test("a change from words that are no longer there is refused, and its image is not kept", async () => {
  await using edge = await openTestApp();
  const dana = await edge.addPerson();
  const made = await save(dana, WORDS, PICTURE);
  const change = (message: string, image?: Uint8Array<ArrayBuffer>) =>
    dana.ask(`/api/saved-messages/${made.id}`, {
      method: "PUT",
      body: formOf({ ...WORDS, message, seen: String(made.updatedAt) }, image),
    });
  assert.equal((await change("א")).status, 200, "even within the same millisecond");
  const refused = await change("ב", PHOTO);
  assert.deepEqual([refused.status, (await refused.json()).code], [409, "words_changed"]);
  assert.equal((await all(dana))[0]!.message, "א");
  assert.equal(await images(edge), 1);
});

Deno.test("an image lives as long as a campaign or a saved message has it", async () => {
  await using edge = await openTestApp();
  const dana = await edge.addPerson();
  const made = await save(dana, WORDS, PICTURE);
  const used = await (await create(dana, { ...WORDS, saved: String(made.id) })).json();
  assert.ok(used.imageUrl, "the campaign begins with the image");
  const copy = savedMessageSchema.parse(
    await (await dana.ask(`/api/saved-messages/${made.id}/duplicate`, { method: "POST" })).json(),
  );
  assert.equal(copy.name, "ברכה (עותק)");
  assert.equal(await images(edge), 1);
  await dana.ask(`/api/campaigns/${used.id}`, { method: "DELETE" });
  await dana.ask(`/api/saved-messages/${made.id}`, { method: "DELETE" });
  assert.equal((await dana.ask(copy.imageUrl!)).status, 200);
  const removed = await dana.ask(`/api/saved-messages/${copy.id}`, {
    method: "PUT",
    body: formOf({ ...WORDS, oldImage: "remove" }),
  });
  assert.equal((await removed.json()).imageUrl, null);
  assert.equal(await images(edge), 0);
});

Deno.test("a campaign that begins with a saved message is counted, and may have another image", async () => {
  await using edge = await openTestApp();
  const dana = await edge.addPerson();
  const made = await save(dana, WORDS, PICTURE);
  edge.clock.now += 1_000;
  const own = await (await create(dana, { ...WORDS, saved: String(made.id) }, PHOTO)).json();
  const image = await dana.ask(own.imageUrl);
  assert.equal(image.headers.get("content-type"), "image/jpeg");
  await image.body?.cancel();
  const [kept] = await all(dana);
  assert.deepEqual([kept!.usedCount, kept!.usedAt], [1, edge.clock.now]);
  assert.equal(kept!.updatedAt, made.updatedAt, "use is no change");
});

Deno.test("a campaign's words can be saved, and stay when the campaign goes", async () => {
  await using edge = await openTestApp();
  const dana = await edge.addPerson();
  const campaign = await (await create(dana, WORDS, PICTURE)).json();
  const answer = await dana.ask(`/api/campaigns/${campaign.id}/save-message`, {
    method: "POST",
    json: { name: "ברכת סתיו" },
  });
  const saved = savedMessageSchema.parse(await answer.json());
  assert.deepEqual([saved.name, saved.message], ["ברכת סתיו", WORDS.message]);
  await dana.ask(`/api/campaigns/${campaign.id}`, { method: "DELETE" });
  assert.equal((await dana.ask(saved.imageUrl!)).status, 200);
});

Deno.test("another client's saved message begins no campaign, and does not exist", async () => {
  await using edge = await openTestApp();
  const dana = await edge.addPerson();
  const other = await edge.addPerson();
  const { id, imageUrl } = await save(dana, WORDS, PICTURE);
  assert.equal((await create(other, { ...WORDS, saved: String(id) })).status, 404);
  assert.equal((await create(dana, { ...WORDS, saved: "999999" })).status, 404);
  assert.equal((await create(dana, { ...WORDS, saved: "x" })).status, 400);
  assert.equal((await other.ask(imageUrl!)).status, 404);
  assert.deepEqual(await all(other), []);
});

Deno.test("a saved message is as long as a campaign's may be, and their number is bounded", async () => {
  await using edge = await openTestApp();
  const dana = await edge.addPerson();
  for (
    const wrong of [{ name: "" }, { message: " " }, { message: "א".repeat(4_097) }, { kind: "undeclared" }]
  ) {
    const answer = await dana.ask("/api/saved-messages", {
      method: "POST",
      body: formOf({ ...WORDS, ...wrong }),
    });
    assert.equal(answer.status, 400, JSON.stringify(wrong).slice(0, 40));
  }
  await edge.ctx.db.execute({
    sql: `WITH RECURSIVE n(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM n WHERE v < ?)
      INSERT INTO saved_messages (client, name, message, kind, created_at, updated_at, updated_by)
      SELECT ?, 'n', 'm', 'service', 1, 1, ? FROM n`,
    args: [MAX_SAVED - 1, dana.id, dana.id],
  });
  const [last] = [await save(dana, WORDS, PICTURE)];
  const refused = await dana.ask("/api/saved-messages", { method: "POST", body: formOf(WORDS, PHOTO) });
  assert.equal(refused.status, 400);
  assert.match((await refused.json()).error, /200 הודעות/);
  assert.equal(
    (await dana.ask(`/api/saved-messages/${last.id}/duplicate`, { method: "POST" })).status,
    400,
  );
  assert.equal(await images(edge), 1, "the image of the refused one is gone");
});
