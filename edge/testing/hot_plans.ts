/** The query plans of the statements that run for each delivery, printed for a reader and compared by a test. */
import type { Client, InArgs, InStatement, ResultSet } from "@libsql/client/web";
import { importContacts } from "../contacts/import_contacts.ts";
import { takeOutImport } from "../contacts/take_out_import.ts";
import { cancelCampaign } from "../queue/cancel.ts";
import { pauseCampaign } from "../queue/pause.ts";
import { resolveDeliveries } from "../queue/resolve.ts";
import { resumeCampaign } from "../queue/resume.ts";
import { toDigits } from "../numbers/wire_phone.ts";
import { sendCampaign } from "../queue/send.ts";
import { suppressPhones } from "../queue/suppress.ts";
import { suppressPhone } from "./suppress_phone.ts";
import { QUEUE_DUTIES } from "../queue/ticks.ts";
import { acceptMessage } from "../messages/accept_message.ts";
import { messageRequestSchema } from "shared/messages_api.ts";
import { openFleet } from "./fleet.ts";
import { acknowledge, pull, report, take } from "./queue_acts.ts";

/** The numbers of subqueries change when another subquery of the statement changes. */
const SUBQUERY_NUMBER = /(?<=SUBQUERY) \d+$|(?<=\(subquery)-\d+/;

interface Asked {
  sql: string;
  args: InArgs | undefined;
}

/**
 * Runs each frequent action once and returns the plans of its statements, in the order in which they run. A plan does
 * not contain the statement's text, so a statement may be rewritten while its plan stays.
 */
export async function printHotPlans(): Promise<string> {
  await using fleet = await openFleet();
  const { ctx } = fleet;
  const client = await fleet.addClient(100);
  const actor = { client: client.id, person: client.id, role: "client" as const };
  const site = await fleet.addSite(2, 2);
  const first = await fleet.addCampaign(client, 40);
  const second = await fleet.addCampaign(client, 40);
  const draft = await fleet.addCampaign(client, 0);
  await ctx.db.execute({ sql: "UPDATE campaigns SET status = 'draft' WHERE id = ?", args: [draft.id] });
  const { asked, db } = recordStatements(ctx.db);
  const plain = ctx.db;
  ctx.db = db;
  const parts: string[] = [];

  async function print(act: string, run: () => Promise<unknown>) {
    asked.length = 0;
    await run();
    const statements = asked.splice(0);
    if (statements.length === 0) {
      throw new Error(`Cannot print the plans of "${act}": it asked the database nothing`);
    }
    const plans: string[] = [];
    for (const { sql, args } of statements) {
      const { rows } = await plain.execute({ sql: `EXPLAIN QUERY PLAN ${sql}`, args });
      const steps = rows.map(({ detail }) => `    ${String(detail).replace(SUBQUERY_NUMBER, "")}\n`);
      plans.push(`${headOf(sql)}\n${steps.join("")}`);
    }
    parts.push(`## ${act}\n\n${plans.join("\n")}`);
  }

  const list = { fileName: "list.csv", numbers: "0540000001, 0540000002" };
  const loaded = { id: draft.id, client: client.id, kind: "service" as const };
  await print("import of contacts", () => importContacts(ctx, loaded, list));
  const { rows: [added] } = await plain.execute("SELECT max(id) AS id FROM imports");
  const taken = { campaign: draft.id, importId: Number(added!.id), client: client.id };
  await print("an import taken out", () => takeOutImport(ctx, taken));
  await print("send", () => sendCampaign(ctx, actor, first.id));
  await sendCampaign(ctx, actor, second.id);
  const message = { to: "0540000041", text: "שלום", kind: "service" };
  await print("a message by call", () => acceptMessage(ctx, client, messageRequestSchema.parse(message)));
  await ctx.db.execute("UPDATE campaigns SET status = 'cancelled' WHERE carrier_until IS NOT NULL");
  const lease = await take(fleet, site, 2);
  await print(
    "report of what was sent",
    () => report(fleet, site, { ...lease, items: lease.items.slice(0, 1) }, "sent"),
  );
  await print(
    "report of an unknown outcome",
    () => report(fleet, site, { ...lease, items: lease.items.slice(1) }, "unknown"),
  );
  let next: Awaited<ReturnType<typeof pull>> = null;
  await print("lease", async () => next = await pull(fleet, site, 2));
  await print("acknowledgement of a lease", () => acknowledge(fleet, site, next!.token));
  await print("hello", () => fleet.reconnect(site));
  await print(
    "removal of one number",
    () => suppressPhone(ctx, { phone: first.phones[7]!, client: client.id, source: "manual" }),
  );
  await print("removal of numbers by their range", () => {
    const phones = [8, 9].map((no) => toDigits(first.phones[no]!));
    return suppressPhones(ctx, { phones, client: client.id, source: "manual", search: "range" });
  });
  await print(
    "unknown outcome resolved",
    () => resolveDeliveries(ctx, actor, first.id, { ids: "all", as: "failed" }),
  );
  await print("pause", () => pauseCampaign(ctx, actor, first.id));
  await print("resume", () => resumeCampaign(ctx, actor, first.id));
  await print("cancel", () => cancelCampaign(ctx, actor, first.id));
  for (const duty of QUEUE_DUTIES) await print(`duty ${duty.name}`, () => duty.slice(ctx));
  return `Written by \`deno task schema\`: what SQLite does for each statement of a hot act. A scan of deliveries is a fault.\n\n${
    parts.join("\n")
  }`;
}

/** Returns the verb and the table of a statement. */
function headOf(sql: string): string {
  const target = /\b(INSERT(?: OR \w+)? INTO|UPDATE|DELETE FROM)\s+"?(\w+)/i.exec(sql);
  return target ? `${target[1]!.toUpperCase()} ${target[2]}` : "SELECT";
}

/** Returns `db`, and the list of its statements, including those within transactions. */
function recordStatements(db: Client): { db: Client; asked: Asked[] } {
  const asked: Asked[] = [];
  const note = (stmt: InStatement) => {
    asked.push(
      typeof stmt === "string" ? { sql: stmt, args: undefined } : { sql: stmt.sql, args: stmt.args },
    );
  };
  function recording<T extends object>(target: T): T {
    return new Proxy(target, {
      get(_, name) {
        const value = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        const call = value.bind(target) as (...args: unknown[]) => Promise<unknown>;
        if (name === "execute") return (stmt: InStatement) => (note(stmt), call(stmt) as Promise<ResultSet>);
        if (name === "batch") {
          return (stmts: InStatement[], mode: unknown) => (stmts.forEach(note), call(stmts, mode));
        }
        if (name === "transaction") return async (mode: unknown) => recording(await call(mode) as object);
        return call;
      },
    });
  }
  return { db: recording(db), asked };
}
