import assert from "node:assert/strict";
import { openTestApp, type TestPerson } from "../testing/test_app.ts";
import { checkImage } from "./image.ts";
import { readCampaign } from "./read.ts";
import { setImage } from "./set_image.ts";

Deno.test("an image is served to its owner and to administrators, and kept for good", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const admin = await test.addPerson({ role: "admin" });
  const yossi = await test.addPerson();
  const { imageUrl } = await (await create(dana, await picture("photo.jpg"))).json();
  for (const caller of [dana, admin]) {
    const response = await caller.ask(imageUrl);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-type"), "image/jpeg");
    assert.equal(response.headers.get("x-content-type-options"), "nosniff");
    assert.equal(response.headers.get("cache-control"), "private, max-age=31536000, immutable");
    assert.deepEqual(
      new Uint8Array(await response.arrayBuffer()).subarray(0, 3),
      Uint8Array.of(0xff, 0xd8, 0xff),
    );
  }
  assert.equal((await yossi.ask(imageUrl)).status, 404);
});

Deno.test("a file that is not an image is refused with its own sentence", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const svg = new File(["<svg onload='alert(1)'/>"], "logo.png", { type: "image/png" });
  const response = await create(dana, svg);
  assert.equal(response.status, 415);
  assert.equal(
    (await response.json()).error,
    "אפשר לצרף תמונת JPG, PNG או WebP עד 5MB. הקובץ שנבחר: SVG, 1KB.",
  );
  const empty = await create(dana, new File([], "", { type: "application/octet-stream" }));
  assert.equal((await empty.json()).imageUrl, null);
});

Deno.test("an image used twice is stored once, and goes with the last campaign that uses it", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const ids: number[] = [];
  for (let made = 0; made < 2; made++) {
    ids.push((await (await create(dana, await picture("photo.jpg"))).json()).id);
  }
  const images = async () => (await test.ctx.db.execute("SELECT count(*) AS n FROM images")).rows[0].n;
  assert.equal(await images(), 1);
  assert.equal((await dana.ask(`/api/campaigns/${ids[0]}`, { method: "DELETE" })).status, 204);
  assert.equal(await images(), 1);
  assert.equal((await dana.ask(`/api/campaigns/${ids[1]}`, { method: "DELETE" })).status, 204);
  assert.equal(await images(), 0);
});

Deno.test("PUT and DELETE /image replace and remove an unsent campaign's image, and delete unused ones", async () => {
  await using test = await openTestApp();
  const [dana, yossi, admin] = [
    await test.addPerson(),
    await test.addPerson(),
    await test.addPerson({ role: "admin" }),
  ];
  const { id, imageUrl } = await (await create(dana, await picture("photo.jpg"))).json();
  const put = async (person: TestPerson, image: File | string) => {
    const body = new FormData();
    body.set("image", image);
    return await person.ask(`/api/campaigns/${id}/image`, { method: "PUT", body });
  };
  const images = async () =>
    (await test.ctx.db.execute("SELECT media_type FROM images")).rows.map((row) => row.media_type);

  assert.deepEqual([(await put(yossi, await picture("picture.png"))).status, await images()], [404, [
    "image/jpeg",
  ]]);
  assert.equal((await put(admin, await picture("picture.png"))).status, 403);
  assert.equal((await put(dana, "text")).status, 400);
  assert.equal((await put(dana, new File(["<svg/>"], "a.png"))).status, 415);
  const replaced = await (await put(dana, await picture("picture.png"))).json();
  assert.notEqual(replaced.imageUrl, imageUrl);
  const shown = await dana.ask(replaced.imageUrl);
  await shown.body?.cancel();
  assert.deepEqual([shown.headers.get("content-type"), await images()], ["image/png", ["image/png"]]);

  await create(dana, await picture("picture.png"));
  const removed = await dana.ask(`/api/campaigns/${id}/image`, { method: "DELETE" });
  assert.equal((await removed.json()).imageUrl, null);
  assert.deepEqual(await images(), ["image/png"], "another campaign uses it");

  await test.ctx.db.execute({ sql: "UPDATE campaigns SET status = 'processing' WHERE id = ?", args: [id] });
  assert.equal((await put(dana, await picture("photo.jpg"))).status, 409);
  assert.deepEqual(await images(), ["image/png"]);
});

Deno.test("setImage() of a campaign that was sent meanwhile changes nothing and leaves no image", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const { id } = await (await create(dana)).json();
  const row = await readCampaign(test.ctx, { ...dana, role: "client", duty: "owner", sessionHash: "" }, id);
  await test.ctx.db.execute({ sql: "UPDATE campaigns SET status = 'processing' WHERE id = ?", args: [id] });
  const bytes = new Uint8Array(await (await picture("photo.jpg")).arrayBuffer());
  await assert.rejects(setImage(test.ctx, row, checkImage(bytes, "photo.jpg")), {
    code: "campaign_not_editable",
  });
  assert.equal((await test.ctx.db.execute("SELECT count(*) AS n FROM images")).rows[0]?.n, 0);
});

function create(person: TestPerson, image?: File): Promise<Response> {
  const body = new FormData();
  for (const [name, value] of Object.entries({ name: "סתיו", message: "שלום", status: "draft" })) {
    body.set(name, value);
  }
  if (image) body.set("image", image);
  return person.ask("/api/campaigns", { method: "POST", body });
}

async function picture(name: string): Promise<File> {
  return new File([await Deno.readFile(new URL(`testdata/${name}`, import.meta.url))], name);
}
