import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { markOf } from "../audit_log/number_mark.ts";
import { openFleet } from "../testing/fleet.ts";
import { reportLostTime, restore } from "../testing/lost_time.ts";
import { balanceOf, pull, sendNew } from "../testing/queue_acts.ts";
import { revokeSite } from "../sites/revoke_site.ts";
import { writeOffSite } from "../sites/write_off_site.ts";
import { auditQueue } from "../queue/audit.ts";
import { SupersededError } from "../queue/fence.ts";
import { eraseNumbers } from "./erase_numbers.ts";
import { listErasures } from "./list_erasures.ts";
import { numbersIn } from "./numbers_in_files.ts";
import { repeatErasures } from "./repeat_erasures.ts";
import { startErasure } from "./start_erasure.ts";

const PHONE = 972540000001;

Deno.test("repeatErasures() finds a number anywhere in the database: in a file, a text or a column", async () => {
  const places = [
    "INSERT INTO suppressions (client, phone, source, at) VALUES (1, 972540000001, 'manual', 0)",
    `INSERT INTO activity (at, kind, code, data) VALUES (0, 'info', 'x', '{"message":"of 972540000001"}')`,
    `INSERT INTO import_chunks (import, kind, no, bytes) VALUES (9, 'raw', 0, x'${
      Buffer.from("דן,054-000 0001\nרות,054-0000002").toString("hex")
    }')`,
    `INSERT INTO import_chunks (import, kind, no, bytes) VALUES (9, 'raw', 0, x'${
      Buffer.from("+972 54 000-0001", "utf16le").toString("hex")
    }')`,
  ];
  for (const place of places) {
    await using fleet = await openFleet();
    await fleet.ctx.db.execute(place);
    await owe(fleet.ctx.db, markOf(fleet.ctx, "phone", `+${PHONE}`));
    await repeatErasures(fleet.ctx);
    assert.deepEqual(await fleet.one("SELECT phone, to_repeat FROM erasures"), {
      phone: PHONE,
      to_repeat: 0,
    }, place);
  }
});

Deno.test("repeatErasures() ends an erasure whose number the database does not hold", async () => {
  await using fleet = await openFleet();
  await owe(fleet.ctx.db, markOf(fleet.ctx, "phone", `+${PHONE}`));
  await repeatErasures(fleet.ctx);
  assert.deepEqual(await fleet.one("SELECT phone, to_repeat FROM erasures"), { phone: null, to_repeat: 0 });
});

Deno.test("repeatErasures() waits for sites that owe outcomes, and also erases a number reported late", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 2);
  const [site, other] = [await fleet.addSite(), await fleet.addSite()];
  await restore(fleet, site, other);
  const erased = "+972541234567";
  await owe(fleet.ctx.db, markOf(fleet.ctx, "phone", erased));
  await reportLostTime(fleet, other, campaign, []);
  await repeatErasures(fleet.ctx);
  // From a campaign that is missing in the backup.
  await reportLostTime(fleet, site, campaign, [{ campaign: campaign.id + 1, phone: erased }]);
  assert.equal(await pull(fleet, site), null, "nothing is leased before the number is looked for");
  await repeatErasures(fleet.ctx);
  assert.equal((await pull(fleet, site))?.items.length, 2);
  fleet.pass(2 * 60_000);
  await eraseNumbers(fleet.ctx);
  assert.equal((await fleet.one("SELECT count(*) AS n FROM lost_reaches")).n, 0);
  assert.deepEqual(await fleet.one("SELECT phone, to_repeat FROM erasures"), { phone: null, to_repeat: 0 });
});

Deno.test("repeatErasures() does not wait for a written-off or revoked site, and keeps nothing that it reports", async (t) => {
  const acts = { "written off": writeOffSite, revoked: revokeSite };
  for (const [name, act] of Object.entries(acts)) {
    await t.step(name, async () => {
      await using fleet = await openFleet();
      const campaign = await sendNew(fleet, 2);
      const [gone, site] = [await fleet.addSite(), await fleet.addSite()];
      await restore(fleet, gone, site);
      const erased = "+972541234567";
      await owe(fleet.ctx.db, markOf(fleet.ctx, "phone", erased));
      await reportLostTime(fleet, site, campaign, []);
      await act(fleet.ctx, gone.site);
      await repeatErasures(fleet.ctx);
      assert.equal((await pull(fleet, site))?.items.length, 2);
      await reportLostTime(fleet, gone, campaign, [{ campaign: campaign.id + 1, phone: erased }]).catch((
        error,
      ) => assert.ok(error instanceof SupersededError));
      assert.equal((await fleet.one("SELECT count(*) AS n FROM lost_reaches")).n, 0);
    });
  }
});

Deno.test("listErasures() shows an erasure carried over by a restore as open until its number was searched", async () => {
  await using fleet = await openFleet();
  await owe(fleet.ctx.db, markOf(fleet.ctx, "phone", `+${PHONE}`));
  await fleet.ctx.db.execute("UPDATE erasures SET database_at = 1, scrubbed_at = 2, done_at = 3");
  const times = async () => {
    const { items: [one] } = await listErasures(fleet.ctx, { limit: 1 });
    return [one!.databaseAt, one!.scrubbedAt, one!.doneAt];
  };
  assert.deepEqual(await times(), [null, null, null]);
  await repeatErasures(fleet.ctx);
  assert.deepEqual(await times(), [1, 2, 3]);
});

Deno.test("eraseNumbers() gives no row its alias while a site may still report it (rule 17, I1, I3)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const site = await fleet.addSite();
  await restore(fleet, site);
  await startErasure(fleet.ctx, { person: 0 }, { phone: campaign.phones[0]!, reason: "", block: false });
  await eraseNumbers(fleet.ctx);
  assert.deepEqual(await fleet.states(campaign.id), ["skipped"]);
  await reportLostTime(fleet, site, campaign, [{ phone: campaign.phones[0]!, attempt: 1 }]);
  fleet.pass(2 * 60_000);
  await eraseNumbers(fleet.ctx);
  assert.deepEqual(await fleet.states(campaign.id), ["sent"]);
  assert.equal(await balanceOf(fleet, campaign.client), 0, "what was sent is paid for");
  assert.deepEqual(await fleet.one("SELECT phone FROM erasures"), { phone: null });
  assert.ok(Number((await fleet.one("SELECT phone FROM deliveries")).phone) < 0);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("numbersIn() reads local and international forms, also within a longer run of digits", () => {
  for (const text of ["0540000001", "972540000001", "x0540000001,", "540540000001", "05400000015"]) {
    assert.ok([...numbersIn(text)].includes(PHONE), text);
  }
  assert.deepEqual([...numbersIn("12,34")], []);
});

async function owe(db: { execute(one: { sql: string; args: string[] }): Promise<unknown> }, mark: string) {
  await db.execute({
    sql: `INSERT INTO erasures (at, user, reason, mark, nonce, hash, blocked, to_repeat)
      VALUES (0, 0, '', ?, 'n', 'h', 1, 1)`,
    args: [mark],
  });
}
