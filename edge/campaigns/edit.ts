import { type CampaignStatus, type DeclaredKind, EDITABLE_STATUSES } from "shared/campaign.ts";
import type { Pilot } from "shared/http_api.ts";
import type { EdgeContext } from "../context.ts";
import { writeBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";
import { checkWords } from "../lawful/sent_text.ts";
import { campaignChanged } from "../events/changed_event.ts";
import type { CampaignRow } from "../db/schema.ts";

interface Changes {
  name?: string | undefined;
  message?: string | undefined;
  kind?: DeclaredKind | undefined;
  pilot?: Pilot | null | undefined;
}

/** SQL: a campaign becomes an advertisement only without contacts, because those have no declaration of consent. */
const KIND_FITS =
  "(? IS NOT 'marketing' OR kind = 'marketing' OR (queued_count = 0 AND running_import IS NULL))";

/**
 * Changes the text of a draft or ready campaign, its kind, and its pilot wave (null = none). Contacts left out for lack
 * of consent stay out when an advertisement becomes a service. They remain counted until a later upload adds them.
 *
 * @throws {HttpError} `campaign_not_editable` when it was sent in the meantime, `kind_needs_no_contacts`,
 * `invalid_input` when an advertisement is too long together with the text that the law adds
 */
export async function editCampaign(
  ctx: EdgeContext,
  campaign: CampaignRow,
  changes: Changes,
): Promise<void> {
  const { client } = campaign;
  await checkWords(ctx.db, {
    client,
    kind: changes.kind ?? campaign.kind,
    message: changes.message ?? campaign.message,
  });
  const now = ctx.now();
  const { pilot, kind = null } = changes;
  const isPilotSet = pilot !== undefined;
  const { updated } = await writeBatch(ctx.db, {
    updated: {
      sql:
        `UPDATE campaigns SET name = coalesce(?, name), message = coalesce(?, message), kind = coalesce(?, kind),
          updated_at = ?,
          pilot_count = iif(?, ?, pilot_count), pilot_wait_ms = iif(?, ?, pilot_wait_ms)
        WHERE id = ? AND status IN ('draft', 'ready') AND ${KIND_FITS}`,
      args: [
        changes.name ?? null,
        changes.message ?? null,
        kind,
        now,
        isPilotSet,
        pilot?.count ?? null,
        isPilotSet,
        pilot ? pilot.waitMinutes * 60_000 : null,
        campaign.id,
        kind,
      ],
    },
    event: campaignChanged(now, campaign),
  });
  if (updated.rowsAffected !== 1) throw await refusal(ctx, campaign.id);
  ctx.wakeOutbox();
}

async function refusal(ctx: EdgeContext, id: number): Promise<HttpError> {
  const { rows: [row] } = await ctx.db.execute({
    sql: "SELECT status FROM campaigns WHERE id = ?",
    args: [id],
  });
  const isEditable = EDITABLE_STATUSES.includes(row?.status as CampaignStatus);
  return new HttpError(isEditable ? "kind_needs_no_contacts" : "campaign_not_editable");
}
