/** The query plans of the actions on a campaign: none reads the campaign's whole list. */
import assert from "node:assert/strict";
import type { InArgs, InStatement, ResultSet } from "@libsql/client/web";
import { makeCampaign } from "../testing/make_campaign.ts";
import { openTestApp, type TestApp } from "../testing/test_app.ts";

/** Plans that read each delivery of a campaign, or of all campaigns. */
const WALKS_A_LIST = /^SCAN (deliveries|d)$|deliveries_campaign_phone \(campaign=\?\)$/;
/** Elsewhere `d` is a device. */
const NAMES_DELIVERIES = /\bdeliveries\b/;

Deno.test("every act on a campaign, accepted or refused, runs without a scan of its list", async () => {
  await using edge = await openTestApp();
  const client = await edge.addPerson({ messageQuota: 10 });
  const campaign = await makeCampaign(edge.ctx, { client: client.id, status: "ready", rows: { queued: 3 } });
  const asked = recordStatements(edge);
  const ask = async (method: string, path: string, json?: unknown) => {
    const answer = await client.ask(`/api/campaigns${path}`, { method, json });
    assert.ok([200, 409].includes(answer.status), `${method} ${path}: ${answer.status}`);
  };
  await ask("PATCH", `/${campaign}`, { name: "name" });
  for (const act of ["pause", "cancel", "send", "pause", "pause", "resume", "cancel", "cancel"]) {
    await ask("POST", `/${campaign}/${act}`);
    for (const path of ["", `/${campaign}`, `/${campaign}/deliveries`]) await ask("GET", path);
  }
  const walks: [step: string, sql: string][] = [];
  for (const { sql, args } of [...asked.values()].filter(({ sql }) => NAMES_DELIVERIES.test(sql))) {
    const { rows } = await edge.database.db.execute({ sql: `EXPLAIN QUERY PLAN ${sql}`, args });
    const plan = rows.map(({ detail }) => String(detail));
    walks.push(
      ...plan.filter((step) => WALKS_A_LIST.test(step)).map((step) => [step, sql] as [string, string]),
    );
  }
  assert.ok(asked.size > 20, `${asked.size} statements`);
  assert.deepEqual(walks, []);
});

interface Asked {
  sql: string;
  args: InArgs | undefined;
}

/** Records from now on each statement that the edge runs outside a transaction, each text once. */
function recordStatements({ database: { db } }: TestApp): Map<string, Asked> {
  const asked = new Map<string, Asked>();
  const note = (stmt: InStatement) => {
    const { sql, args } = typeof stmt === "string" ? { sql: stmt, args: undefined } : stmt;
    asked.set(sql, { sql, args });
  };
  const execute: (stmt: InStatement) => Promise<ResultSet> = db.execute.bind(db);
  const batch = db.batch.bind(db);
  db.execute = (stmt: InStatement) => {
    note(stmt);
    return execute(stmt);
  };
  db.batch = (stmts, mode) => {
    (stmts as InStatement[]).forEach(note);
    return batch(stmts, mode);
  };
  return asked;
}
