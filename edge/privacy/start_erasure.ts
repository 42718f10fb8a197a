import { and, eq, isNotNull } from "drizzle-orm";
import { withoutNumbers } from "shared/without_numbers.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import { markOf } from "../audit_log/number_mark.ts";
import { parsePhone } from "../numbers/parse_phone.ts";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import { recordCall } from "../http/repeatable_call.ts";
import type { Caller } from "../http/router.ts";
import { inTransaction } from "../db/in_transaction.ts";
import { randomHex } from "../keys/random_hex.ts";
import { execute, query } from "../db/query.ts";
import { erasures, sites } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { suppressStatements } from "../queue/suppress.ts";
import { blockNumber } from "./blocked.ts";
import { journalHash, journalKey } from "./erase_sites.ts";

export interface ErasureRequest {
  /** As people write it. */
  phone: string;
  reason: string;
  /** Never message the number again. */
  block: boolean;
}

/** Keeps the number from being leased while a site still holds rows of it. */
export const ERASURE_SOURCE = "erasure";

/** SQL: an erasure does not cancel a person's request to be left alone. */
export const WAS_SUPPRESSED =
  `SELECT 1 FROM suppressions WHERE phone = :phone AND source <> '${ERASURE_SOURCE}' LIMIT 1`;
const ASK_SITES = `INSERT INTO erasure_sites (erasure, site, hash)
  SELECT :id, value->>'site', value->>'hash' FROM json_each(:sites)`;

/**
 * Starts to erase one number everywhere and returns the certificate's id. Queued messages are skipped and leased ones
 * recalled at once. Later erase_numbers.ts removes the number from every table, and sites remove it from their
 * journals.
 *
 * @throws {HttpError} `invalid_input`
 */
export async function startErasure(
  ctx: EdgeContext,
  admin: Pick<Caller, "person">,
  request: ErasureRequest,
): Promise<number> {
  const { phone } = parsePhone(request.phone);
  if (phone === undefined) throw new HttpError("invalid_input", { text: "מספר הטלפון לא תקין." });
  const now = ctx.now();
  const nonce = randomHex(ctx, 16);
  const mark = markOf(ctx, "phone", `+${phone}`);
  const reason = withoutNumbers(request.reason);
  const hash = journalHash(journalKey(ctx, nonce), phone);
  const id = await inTransaction(ctx.db, async (tx) => {
    const { rows: [before] } = await execute(
      tx,
      query.select({ id: erasures.id }).from(erasures).where(eq(erasures.phone, phone)),
    );
    if (before !== undefined) {
      const record = recordCall({ status: 201, made: before.id }, { always: true });
      if (record) await tx.execute(record);
      return before.id;
    }
    const wasSuppressed = (await tx.execute(statement(WAS_SUPPRESSED, { phone }))).rows.length > 0;
    const blocked = request.block || wasSuppressed;
    const values = { at: now, user: admin.person, reason, mark, nonce, hash, blocked, phone };
    const { rows: [added] } = await execute(
      tx,
      query.insert(erasures).values(values).returning({ id: erasures.id }),
    );
    const { id } = added!;
    const { rows: present } = await execute(
      tx,
      query.select({ site: sites.id }).from(sites)
        .where(and(isNotNull(sites.publicKey), eq(sites.revoked, false))),
    );
    const asked = present.map(({ site }) => ({
      site,
      hash: journalHash(journalKey(ctx, nonce, site), phone),
    }));
    const record = recordCall({ status: 201, made: id }, { always: true });
    await tx.batch([
      statement(ASK_SITES, { id, sites: JSON.stringify(asked) }),
      ...(blocked ? [blockNumber(ctx, phone)] : []),
      ...suppressStatements({ client: 0, phones: [phone], source: ERASURE_SOURCE }, now),
      noteAudit(now, {
        kind: "number_erased",
        actor: admin.person,
        data: { erasure: id, number: mark, reason, blocked },
      }),
      ...(record ? [record] : []),
    ]);
    return id;
  });
  ctx.wakeOutbox();
  return id;
}
