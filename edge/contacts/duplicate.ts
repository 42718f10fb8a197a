import type { RecipientGroup } from "shared/again_api.ts";
import type { UploadResult } from "shared/http_api.ts";
import { type AuditNote, noteAudit } from "../audit_log/note_audit.ts";
import { nameOfCopy } from "../campaigns/name_of_copy.ts";
import { finishImport } from "./import_contacts.ts";
import { copyContacts } from "./copy_contacts.ts";
import { CAMPAIGN_FIELDS } from "../personal/import_fields.ts";
import type { EdgeContext } from "../context.ts";
import { rowsAs } from "../db/query.ts";
import { writeBatch } from "../db/write_batch.ts";
import { statement } from "../db/statement.ts";
import { type CampaignRow, campaigns, imports } from "../db/schema.ts";

export const COPIED_CONTACTS = ["none", "all"] as const;
/** Chosen recipients of a campaign that was sent, to whom `actor` wants to write again. */
export interface ChosenAgain {
  groups: readonly RecipientGroup[];
  actor: number;
}
/** The contacts to copy. */
export type CopiedContacts = (typeof COPIED_CONTACTS)[number] | ChosenAgain;

// A copy of a campaign that was never sent takes its place: it writes to the same people again.
const COPY = `INSERT INTO campaigns (client, name, message, image, kind, again_of, created_at, updated_at)
  SELECT client, :name, message, image, kind, iif(:isAgain, id, iif(status IN ('draft', 'ready'), again_of, NULL)),
    :now, :now
  FROM campaigns WHERE id = :campaign RETURNING id`;
// The table has no rowid: the next steps still read that of the copy.
const COPY_TEXTS = `INSERT INTO variants (campaign, no, message)
  SELECT last_insert_rowid(), no, message FROM variants WHERE campaign = :campaign`;
// In the transaction that makes the copy: a process that dies then leaves no draft that stays empty.
const START_IMPORT =
  `INSERT INTO imports (campaign, file_name, status, makes_campaign, fields, created_at, updated_at)
  VALUES (last_insert_rowid(), '', 'processing', 1, ${CAMPAIGN_FIELDS}, :now, :now) RETURNING id`;
const HOLD = `UPDATE campaigns SET running_import = last_insert_rowid()
  WHERE id = (SELECT campaign FROM imports WHERE id = last_insert_rowid())`;
const INSERT_EVENT = `INSERT INTO events (at, type, client, campaign, data)
  SELECT :now, 'campaign_changed', client, id, json_object('campaignId', id) FROM campaigns
  WHERE id = `;
const EMPTY_COPY_EVENT = `${INSERT_EVENT}last_insert_rowid()`;
const HELD_COPY_EVENT = `${INSERT_EVENT}(SELECT campaign FROM imports WHERE id = last_insert_rowid())`;

/**
 * Creates a draft with the text and image of `campaign`, adds the contacts as an upload would, and returns the copy's
 * id. Numbers suppressed since then stay out, and advertising needs the consents declared earlier. A copy that fails,
 * or whose caller `left`, is deleted. removeDeadImports() deletes the copy of a dead process.
 *
 * @throws {HttpError} `contacts_full`; `invalid_input` after the caller left
 */
export async function duplicateCampaign(
  ctx: EdgeContext,
  campaign: CampaignRow,
  contacts: CopiedContacts,
  left?: AbortSignal,
): Promise<number> {
  const again = typeof contacts === "object" ? contacts : null;
  const args = {
    campaign: campaign.id,
    name: nameOfCopy(campaign.name),
    isAgain: again !== null,
    now: ctx.now(),
  };
  const most = mostCopied(campaign, contacts);
  const isEmpty = most === 0;
  const { copied, importStarted } = await writeBatch(ctx.db, {
    copied: statement(COPY, args),
    textsCopied: statement(COPY_TEXTS, args),
    importStarted: isEmpty ? undefined : statement(START_IMPORT, args),
    held: isEmpty ? undefined : statement(HOLD, args),
    event: statement(isEmpty ? EMPTY_COPY_EVENT : HELD_COPY_EVENT, args),
    audited: again ? noteAudit(args.now, noteOf(campaign.id, again)) : undefined,
  });
  ctx.wakeOutbox();
  const { id: copy } = rowsAs(copied, { id: campaigns.id })[0]!;
  if (importStarted === undefined) return copy;
  const { importId } = rowsAs(importStarted, { importId: imports.id })[0]!;
  await finishImport(ctx, { campaign: copy, client: campaign.client, importId }, async (running) => {
    const list = {
      source: campaign,
      groups: again && again.groups,
      total: most,
    };
    const counts = await copyContacts(ctx, running, list, left);
    const { added: total, suppressed, withoutConsent } = counts;
    const result: UploadResult = {
      importId,
      total,
      duplicatesRemoved: 0,
      invalid: 0,
      suppressed,
      withoutConsent,
      problems: [],
    };
    return { result };
  });
  return copy;
}

function noteOf(campaign: number, { groups, actor }: ChosenAgain): AuditNote {
  const withUnknown = groups.some(({ state }) => state === "unknown");
  return { kind: "campaign_written_again", actor, campaign, data: { withUnknown } };
}

/** Returns the upper bound of copied contacts, from the campaign's counters. */
function mostCopied(campaign: CampaignRow, contacts: CopiedContacts): number {
  if (contacts === "none") return 0;
  const { failedCount, skippedCount, cancelledCount, unknownCount } = campaign;
  const notSent = failedCount + skippedCount + cancelledCount + unknownCount;
  return contacts === "all"
    ? notSent + campaign.queuedCount + campaign.leasedCount + campaign.sentCount
    : notSent;
}
