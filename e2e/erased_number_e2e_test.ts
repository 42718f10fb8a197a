import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import type { Erasure } from "shared/privacy.ts";
import { control } from "../agent/testing/control.ts";
import { copyJournal } from "./faults/moment.ts";
import { Caller, makeReadyCampaign } from "./caller.ts";
import { filesWith, spellingsOf } from "./files_with.ts";
import { Product } from "./product.ts";
import { PATIENCE_MS, until } from "./wait.ts";

const FIRST = 41_000_001;
const PHONE = 972541000001;
const NEIGHBOUR = 972541000002;

/** Returns the number of outcomes in the agent's archive, from a copy: the agent locks its journal. */
async function archived({ dataDir }: Product): Promise<number> {
  const copyDir = await Deno.makeTempDir({ prefix: "shigur-copy-" });
  try {
    copyJournal(`${dataDir}/agent`, copyDir);
    using db = new DatabaseSync(`${copyDir}/journal.db`);
    return Number(db.prepare("SELECT count(*) AS n FROM archive").get()!.n);
  } finally {
    await Deno.remove(copyDir, { recursive: true });
  }
}

Deno.test("an erased number is in no file, log, export or journal of the running product", async () => {
  const product = await Product.start({ devices: 2, speed: 50, rateLimit: 0 });
  try {
    const [clientLogin, adminLogin] = ["client", "admin"].map((role) =>
      product.logins().find((login) => login.role === role)!
    );
    const client = await Caller.login(product.url, clientLogin!);
    const admin = await Caller.login(product.url, adminLogin!);
    const id = await makeReadyCampaign(client, "סתיו", 6, { first: FIRST });
    await client.read("POST", `/api/campaigns/${id}/send`);
    await until(
      async () =>
        (await client.read<{ status: string }>("GET", `/api/campaigns/${id}`)).status === "completed",
      PATIENCE_MS,
      "the campaign completes",
    );
    const csv = async () => await (await client.call("GET", `/api/campaigns/${id}/deliveries.csv`)).text();
    assert.match(await csv(), /054-100-0001/);
    // The archive contains only reported and acknowledged outcomes.
    await until(
      async () => await archived(product) === 6,
      PATIENCE_MS,
      "the outcomes are in the agent's archive",
    );
    await control(product.adbPort, `*:reply:+${PHONE},אולי הסירו אותי`);
    await until(
      () => Promise.resolve(product.query("SELECT 1 FROM replies").length === 1),
      PATIENCE_MS,
      "the reply is reported",
    );
    const before = await filesWith(product.dataDir, spellingsOf(PHONE));
    assert.ok(before.some((file) => file.startsWith("agent/")), before.join());
    assert.ok(before.some((file) => file.startsWith("shigur.db")), before.join());

    const json = { phone: "054-100-0001", reason: "בקשה של בעל המספר" };
    const { id: erasure } = await admin.read<Erasure>("POST", "/api/admin/erasures", { json });
    const done = await until(
      async () => {
        const certificate = await admin.read<Erasure>("GET", `/api/admin/erasures/${erasure}`);
        return certificate.doneAt !== null && certificate;
      },
      2 * PATIENCE_MS,
      "every site has answered",
    );
    assert.deepEqual(done.sites.map(({ removed }) => removed), [2], "an outcome and a reply");
    assert.deepEqual([done.removed.deliveries, done.removed.replies], [1, 1]);

    assert.deepEqual(await filesWith(product.dataDir, spellingsOf(PHONE)), []);
    assert.notDeepEqual(
      await filesWith(product.dataDir, spellingsOf(NEIGHBOUR)),
      [],
      "the others are still there",
    );
    assert.doesNotMatch(await csv(), /054-100-0001/);
    assert.doesNotMatch(product.lines.join(""), new RegExp(`${PHONE}|0541000001`));
    const audit = await (await admin.call("GET", "/api/admin/audit.csv")).text();
    assert.match(audit, /number_erased/);
    assert.doesNotMatch(audit, /541000001/);
    assert.equal(await product.audit(), "All rules hold.");
  } finally {
    await product.stop();
  }
});
