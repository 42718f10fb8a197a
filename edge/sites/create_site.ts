import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { query } from "../db/query.ts";
import { sites } from "../db/schema.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";
import { recordCall } from "../http/repeatable_call.ts";
import { createJoinToken, type JoinToken } from "./join_token.ts";

/**
 * Creates a site, without a key until a machine enrols with the token. @throws HttpError invalid_input: the name is
 * taken
 */
export async function createSite(
  ctx: EdgeContext,
  name: string,
  actor: number | null = null,
): Promise<JoinToken> {
  const now = ctx.now();
  const note = noteAudit(now, { kind: "site_created", actor, data: { site: name } }, STEP_BEFORE_CHANGED);
  const record = recordCall({ status: 201 });
  const { created: { rows: [site] } } = await writeBatch(ctx.db, {
    created: query.insert(sites).values({ name, createdAt: now, asksRehearsal: true })
      .onConflictDoNothing({ target: sites.name }).returning({ id: sites.id }),
    audited: rightAfter("created", note),
    recorded: record && rightAfter("audited", record),
  });
  if (site === undefined) throw new HttpError("invalid_input", { text: "כבר יש אתר בשם הזה." });
  return await createJoinToken(ctx, site.id, { actor });
}
