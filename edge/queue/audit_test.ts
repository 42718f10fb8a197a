import assert from "node:assert/strict";
import { openFleet } from "../testing/fleet.ts";
import { report, sendNew, take } from "../testing/queue_acts.ts";
import { auditQueue } from "./audit.ts";

/** Faults written into a sound database past its triggers, and the rules that must find them. */
const CORRUPTIONS: { name: string; sql: string; rules: RegExp[] }[] = [
  {
    name: "a counter one too high",
    sql: "UPDATE campaigns SET sent_count = sent_count + 1",
    rules: [/^I7/],
  },
  {
    name: "an entry of a campaign more than its rows hold",
    sql: "UPDATE quota_ledger SET delta = delta - 1 WHERE kind = 'reserve'",
    rules: [/^I3: a campaign's entries/, /^I3: a campaign reserved/, /^I3: a balance/, /^I3: every entry/],
  },
  {
    name: "an entry of a campaign less than its rows hold",
    sql: "UPDATE quota_ledger SET delta = delta + 1 WHERE kind = 'reserve'",
    rules: [/^I3: a campaign's entries/, /^I3: a campaign reserved/, /^I3: a balance/, /^I3: every entry/],
  },
  {
    name: "a balance that is not the sum of its entries",
    sql: "UPDATE users SET message_quota = message_quota + 5 WHERE role = 'client'",
    rules: [/^I3: a balance/],
  },
  {
    name: "an entry that shows another balance",
    sql: "UPDATE quota_ledger SET balance_after = balance_after + 1 WHERE kind = 'reserve'",
    rules: [/^I3: every entry/],
  },
  {
    name: "a reservation that the ledger does not know",
    sql: "UPDATE campaigns SET reserved = reserved + 1",
    rules: [/^I3: a campaign reserved/],
  },
  {
    name: "a campaign that became ready and keeps its units and its lease",
    sql: "UPDATE campaigns SET status = 'ready'",
    rules: [/^I3: a campaign that is not sent/, /^I2: a campaign that is not sent/, /^I3: a sent or planned/],
  },
  {
    name: "a send that reserved twice",
    sql: `INSERT INTO quota_ledger (client, at, kind, delta, balance_after, campaign)
      SELECT client, at, kind, 0, (SELECT message_quota FROM users u WHERE u.id = client), campaign
      FROM quota_ledger WHERE kind = 'reserve'`,
    rules: [/^I3: a sent or planned/],
  },
  {
    name: "a planned campaign with a lease and without a time",
    sql: "UPDATE campaigns SET status = 'scheduled'",
    rules: [/^I2: a planned campaign/],
  },
  {
    name: "a running campaign whose plan waits for a person",
    sql: "UPDATE campaigns SET plan_hold = 'missed'",
    rules: [/^I2: only a planned campaign/],
  },
  {
    name: "a decided approval without its time, of a revision that never was",
    sql:
      "INSERT INTO approvals (campaign, revision, state, asked_at) SELECT id, revision + 1, 'approved', 0 FROM campaigns",
    rules: [/^An approval is decided/, /^An approval is of a revision/],
  },
  {
    name: "two runs of a repeat with one campaign",
    sql: `INSERT INTO series_runs (series, day, run_at, state, campaign, claimed_until)
      SELECT 1, day, 0, 'made', (SELECT min(id) FROM campaigns), 0
      FROM (SELECT '2026-11-22' AS day UNION SELECT '2026-11-23')`,
    rules: [/^Each run of a repeat/],
  },
  {
    name: "a run that is made without a campaign",
    sql:
      `INSERT INTO series_runs (series, day, run_at, state, claimed_until) VALUES (1, '2026-11-22', 0, 'made', 0)`,
    rules: [/^A run that is made/],
  },
  {
    name: "a row that was leased before its campaign starts",
    sql: "UPDATE campaigns SET starts_at = (SELECT max(leased_at) + 1 FROM deliveries)",
    rules: [/^I2: nothing is leased before/],
  },
  {
    name: "a campaign that ended with rows waiting",
    sql: "UPDATE campaigns SET status = 'completed'",
    rules: [/^I1/],
  },
  {
    name: "a leased row without its token",
    sql: "UPDATE deliveries SET token = NULL WHERE state = 'leased'",
    rules: [/^A leased row/],
  },
  {
    name: "a failed row whose earlier attempt is open",
    sql: `UPDATE deliveries SET resent = 1 WHERE state = 'failed';
      INSERT INTO resends (campaign, phone, attempt, token, site, known, user, at)
      SELECT campaign, phone, attempt, token, site, 0, 1, 0 FROM deliveries WHERE state = 'failed'`,
    rules: [/^Rule 12/],
  },
  {
    name: "a leased row without a value that its text needs",
    sql:
      `UPDATE campaigns SET sent_parts = '["a ",{"field":"שם","fallback":null}]', required_fields = '["שם"]'`,
    rules: [/^A site holds no row/],
  },
  {
    name: "needed fields that are not those of the text",
    sql:
      `UPDATE campaigns SET sent_parts = '["a ",{"field":"שם","fallback":"b"}]', required_fields = '["שם"]'`,
    rules: [/^The fields that a message needs/],
  },
  {
    name: "a row left out for a value that no text needs",
    sql: `UPDATE deliveries SET state = 'skipped', reason = 'value_missing' WHERE state = 'failed';
      UPDATE campaigns SET skipped_count = 1, failed_count = 0`,
    rules: [/^A row is left out/],
  },
  {
    name: "a day with less room taken than was leased from it",
    sql: "UPDATE account_days SET used = used - 1",
    rules: [/^I6/],
  },
];

for (const { name, sql, rules } of CORRUPTIONS) {
  Deno.test(`auditQueue() sees ${name}`, async () => {
    await using fleet = await openFleet();
    const site = await fleet.addSite(3);
    await sendNew(fleet, 6);
    const lease = await take(fleet, site, 1);
    await report(fleet, site, { ...lease, items: lease.items.slice(0, 1) }, "sent");
    await report(fleet, site, { ...lease, items: lease.items.slice(1, 2) }, "failed");
    assert.deepEqual(await auditQueue(fleet.ctx.db), []);
    const { rows } = await fleet.ctx.db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'");
    for (const trigger of rows) await fleet.ctx.db.execute(`DROP TRIGGER ${trigger.name}`);
    await fleet.ctx.db.executeMultiple(sql);
    const rulesBroken = new Set((await auditQueue(fleet.ctx.db)).map((difference) => difference.rule));
    assert.equal(rulesBroken.size, rules.length, [...rulesBroken].join("\n"));
    for (const rule of rules) {
      assert.ok([...rulesBroken].some((text) => rule.test(text)), `nobody said ${rule}`);
    }
  });
}
