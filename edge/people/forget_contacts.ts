/** Forgets contacts that were not loaded, changed or taken into a campaign for a long time. */
import { eq } from "drizzle-orm";
import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { inTransaction } from "../db/in_transaction.ts";
import { execute, query, rowsAs, toStatement } from "../db/query.ts";
import { contacts, system } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { readSettings } from "../settings/fleet_settings.ts";
import { removeContacts } from "./remove_contacts.ts";

const DAY_MS = 24 * 60 * 60_000;
/** Contacts looked at in one slice: an index of the times would make every import dearer. */
const SLICE = 2_000;
/** Where the last slice ended and when the last round began, as JSON in `system`. */
const PLACE = "contacts_forgotten";

interface Place {
  after: number;
  roundAt: number;
}

const ROWS = `SELECT id, client, phone, used_at FROM contacts WHERE id > :after ORDER BY id LIMIT ${SLICE}`;
// Somebody may have used one since the read.
const STILL_UNUSED = `SELECT client, phone FROM contacts
  WHERE id IN (SELECT value FROM json_each(:ids)) AND used_at < :before ORDER BY client`;

/**
 * Forgets one slice of the contacts that nobody used for `contactsKeptDays`, one round a day; returns 0 when the round
 * is over. Any instance may call it at any time.
 */
export async function forgetContacts(ctx: EdgeContext): Promise<number> {
  const now = ctx.now();
  const { contactsKeptDays } = await readSettings(ctx);
  const before = now - contactsKeptDays * DAY_MS;
  const { rows: [kept] } = await execute(
    ctx.db,
    query.select({ value: system.value }).from(system).where(eq(system.key, PLACE)),
  );
  const { after, roundAt }: Place = kept ? JSON.parse(kept.value) : { after: 0, roundAt: -DAY_MS };
  if (after === 0 && now < roundAt + DAY_MS) return 0;
  const rows = rowsAs(await ctx.db.execute(statement(ROWS, { after })), {
    id: contacts.id,
    client: contacts.client,
    phone: contacts.phone,
    usedAt: contacts.usedAt,
  });
  const ids = rows.filter(({ usedAt }) => usedAt < before).map(({ id }) => id);
  const isOver = rows.length < SLICE;
  const place: Place = { after: isOver ? 0 : rows.at(-1)!.id, roundAt: after === 0 ? now : roundAt };
  const value = JSON.stringify(place);
  await inTransaction(ctx.db, async (tx) => {
    if (ids.length > 0) {
      const unused = rowsAs(await tx.execute(statement(STILL_UNUSED, { ids: JSON.stringify(ids), before })), {
        client: contacts.client,
        phone: contacts.phone,
      });
      let count = 0;
      for (const client of new Set(unused.map(({ client }) => client))) {
        const phones = unused.filter((one) => one.client === client).map(({ phone }) => phone);
        count += await removeContacts(tx, client, phones);
      }
      if (count > 0) {
        await tx.batch([noteAudit(now, { kind: "contacts_forgotten", actor: null, data: { count } })]);
      }
    }
    await tx.execute(toStatement(
      query.insert(system).values({ key: PLACE, value })
        .onConflictDoUpdate({ target: system.key, set: { value } }),
    ));
  });
  return isOver ? 0 : rows.length;
}
