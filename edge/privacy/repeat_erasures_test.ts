import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { markOf } from "../audit_log/number_mark.ts";
import { openFleet } from "../testing/fleet.ts";
import { restore, tell } from "../testing/lost_time.ts";
import { balanceOf, sendNew } from "../testing/queue_acts.ts";
import { auditQueue } from "../queue/audit.ts";
import { eraseNumbers } from "./erase_numbers.ts";
import { numbersIn, repeatErasures } from "./repeat_erasures.ts";

const PHONE = 972540000001;

Deno.test("repeatErasures() finds a number wherever the database holds it: in a file, in a text, in a column", async () => {
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

Deno.test("eraseNumbers() calls no row by its alias while a site may tell that it wrote to this person (rule 17, I1, I3)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const site = await fleet.addSite();
  await restore(fleet, site);
  await owe(fleet.ctx.db, markOf(fleet.ctx, "phone", campaign.phones[0]!));
  await repeatErasures(fleet.ctx);
  await eraseNumbers(fleet.ctx);
  assert.deepEqual(await fleet.states(campaign.id), ["skipped"]);
  await tell(fleet, site, campaign, [{ phone: campaign.phones[0]!, attempt: 1 }]);
  fleet.pass(2 * 60_000);
  await eraseNumbers(fleet.ctx);
  assert.deepEqual(await fleet.states(campaign.id), ["sent"]);
  assert.equal(await balanceOf(fleet, campaign.client), 0, "what was sent is paid for");
  assert.deepEqual(await fleet.one("SELECT phone FROM erasures"), { phone: null });
  assert.ok(Number((await fleet.one("SELECT phone FROM deliveries")).phone) < 0);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("numbersIn() reads numbers as they are written at home and abroad, also within a longer run of digits", () => {
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
