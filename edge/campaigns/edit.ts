import { and, eq, inArray, sql } from "drizzle-orm";
import { type DeclaredKind, EDITABLE_STATUSES } from "shared/campaign.ts";
import type { CampaignWords, Pilot } from "shared/http_api.ts";
import { actingKey } from "../audit_log/acting_key.ts";
import type { EdgeContext } from "../context.ts";
import { execute, query } from "../db/query.ts";
import { writeBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";
import { checkWords } from "../lawful/sent_text.ts";
import { campaignChanged } from "../events/changed_event.ts";
import { type CampaignRow, campaigns } from "../db/schema.ts";

interface Changes {
  name?: string | undefined;
  message?: string | undefined;
  kind?: DeclaredKind | undefined;
  pilot?: Pilot | null | undefined;
  /** The words that the caller saw; other words mean that somebody else changed them. Absent = do not compare. */
  expected?: CampaignWords | undefined;
}

/** A campaign becomes an advertisement only without contacts, because those have no declaration of consent. */
const MAY_ADVERTISE = sql.raw("(kind = 'marketing' OR (queued_count = 0 AND running_import IS NULL))");

/**
 * Changes, for `person`, the text of a draft or ready campaign, its kind, and its pilot wave (null = none). Contacts left out for lack
 * of consent stay out when an advertisement becomes a service. They remain counted until a later upload adds them.
 *
 * @throws {HttpError} `campaign_not_editable` when it was sent in the meantime, `kind_needs_no_contacts`,
 * `words_changed` when the words are not the expected ones, `invalid_input` when an advertisement is too long together with the text that the law adds
 */
export async function editCampaign(
  ctx: EdgeContext,
  campaign: CampaignRow,
  changes: Changes,
  person: number,
): Promise<void> {
  const { client } = campaign;
  await checkWords(ctx, {
    client,
    kind: changes.kind ?? campaign.kind,
    message: changes.message ?? campaign.message,
  });
  const now = ctx.now();
  const { name, message, kind, pilot, expected } = changes;
  const { updated } = await writeBatch(ctx.db, {
    updated: query.update(campaigns).set({
      name,
      message,
      kind,
      updatedAt: now,
      editedBy: person,
      editedByKey: actingKey() ?? null,
      ...(pilot !== undefined && {
        pilotCount: pilot?.count ?? null,
        pilotWaitMs: pilot && pilot.waitMinutes * 60_000,
      }),
    }).where(and(
      eq(campaigns.id, campaign.id),
      inArray(campaigns.status, EDITABLE_STATUSES),
      kind === "marketing" ? MAY_ADVERTISE : undefined,
      ...(expected === undefined ? [] : [
        eq(campaigns.name, expected.name),
        eq(campaigns.message, expected.message),
        eq(campaigns.kind, expected.kind),
      ]),
    )),
    event: campaignChanged(now, campaign),
  });
  if (updated.rowsAffected !== 1) throw await refusal(ctx, campaign.id, expected);
  ctx.wakeOutbox();
}

async function refusal(
  ctx: EdgeContext,
  id: number,
  expected: CampaignWords | undefined,
): Promise<HttpError> {
  const { rows: [row] } = await execute(
    ctx.db,
    query.select({
      status: campaigns.status,
      name: campaigns.name,
      message: campaigns.message,
      kind: campaigns.kind,
    }).from(campaigns).where(eq(campaigns.id, id)),
  );
  const isEditable = row && EDITABLE_STATUSES.includes(row.status);
  const isChanged = expected && row &&
    (row.name !== expected.name || row.message !== expected.message || row.kind !== expected.kind);
  if (isEditable && isChanged) return new HttpError("words_changed");
  return new HttpError(isEditable ? "kind_needs_no_contacts" : "campaign_not_editable");
}
