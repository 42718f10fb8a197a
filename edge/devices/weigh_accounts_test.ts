import assert from "node:assert/strict";
import { readDeviceDetail } from "./device_detail.ts";
import { type Fleet, openFleet, START } from "../testing/fleet.ts";
import { weighAccounts } from "./weigh_accounts.ts";

const DAY_MS = 24 * 60 * 60_000;

async function capOf(fleet: Fleet): Promise<number> {
  return (await readDeviceDetail(fleet.ctx, 1)).accounts[0]!.capPerDay;
}

Deno.test("weighAccounts() keeps the highest risk of each day, and a day that was not green stops the warm-up", async () => {
  await using fleet = await openFleet();
  await fleet.addSite(1);
  await fleet.ctx.db.execute({ sql: "UPDATE accounts SET first_installed_at = ?", args: [START - DAY_MS] });
  const heldDays = async () => (await fleet.one("SELECT held_days FROM accounts")).held_days;
  const become = (state: string) => fleet.ctx.db.execute(`UPDATE accounts SET state = '${state}'`);
  await weighAccounts(fleet.ctx);
  await become("logged_out");
  await weighAccounts(fleet.ctx);
  await become("ok");
  await weighAccounts(fleet.ctx);
  assert.equal(await heldDays(), 0, "a day is judged when it is over");
  fleet.pass(DAY_MS);
  assert.equal(await capOf(fleet), 24, "until it is weighed, a new day has not grown");
  await weighAccounts(fleet.ctx);
  assert.equal(await heldDays(), 1);
  assert.equal(await capOf(fleet), 24);
  fleet.pass(DAY_MS);
  await weighAccounts(fleet.ctx);
  assert.equal(await heldDays(), 1, "a green day holds nothing");
  assert.equal(await capOf(fleet), 28);

  const { accounts: [account] } = await readDeviceDetail(fleet.ctx, 1);
  assert.deepEqual(account.riskHistory, [
    { day: 20261121, score: 55 },
    { day: 20261122, score: 20 },
    { day: 20261123, score: 20 },
  ]);
  assert.equal(account.capPerDay, 28, "the fourth day of its life, one of them held");
  assert.deepEqual(account.riskAdvice, ["לתת לחימום להימשך: התקרה עולה מעצמה בכל יום תקין."]);

  await fleet.ctx.db.execute({ sql: "UPDATE accounts SET banned_at = ?", args: [fleet.ctx.now()] });
  await weighAccounts(fleet.ctx);
  assert.equal(await heldDays(), 0, "what was before a ban is over");
  fleet.pass(DAY_MS);
  await weighAccounts(fleet.ctx);
  assert.equal(await heldDays(), 1, "the day of the ban is the first of those that follow");
});
