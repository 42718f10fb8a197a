/** The effects of a recipient's removal, equal for a keyword, a press of the link and a person's decision. */
import type { InStatement } from "@libsql/client/web";
import { noteAudit } from "../audit_log/note_audit.ts";
import { markOf } from "../audit_log/number_mark.ts";
import { campaignChanged } from "../events/changed_event.ts";
import type { EdgeContext } from "../context.ts";
import { NOTE_OPT_OUT } from "../health/unconfirmed_words.ts";
import { statement } from "../db/statement.ts";
import { suppressStatements } from "../queue/suppress.ts";

export interface OptOut {
  campaign: number;
  client: number;
  /** Digits. */
  phone: number;
  by: "keyword" | "link" | "person";
  /** The user who decided; null = the recipient. */
  actor: number | null;
  /** The site that read the reply, or wrote the message with the link. */
  site: number;
}

const COUNT =
  "UPDATE campaigns SET opted_out_count = opted_out_count + 1, updated_at = :now WHERE id = :campaign";
const COUNT_TEXT = `UPDATE sent_variants SET removals = removals + 1 WHERE campaign = :campaign
  AND no = (SELECT variant FROM deliveries WHERE campaign = :campaign AND phone = :phone)`;
// A client may take back its own entry, but not a recipient's request. `listed_as` keeps the client's own entry for
// when the request is undone.
const BY_REPLY = `UPDATE suppressions SET listed_as = source, source = 'reply'
  WHERE client = :client AND phone = :phone AND source <> 'reply'`;

/**
 * Returns the statements of one opt-out, for the transaction that decides it; each (campaign, number) is decided once.
 */
export function optOutStatements(ctx: EdgeContext, now: number, optOut: OptOut): InStatement[] {
  const { campaign, client, phone, by, actor, site } = optOut;
  const args = { now, campaign, client, phone, site };
  return [
    statement(COUNT, args),
    statement(COUNT_TEXT, args),
    statement(NOTE_OPT_OUT, args),
    ...suppressStatements({ client, phones: [phone], source: "reply" }, now),
    statement(BY_REPLY, args),
    campaignChanged(now, { id: campaign, client }),
    noteAudit(now, {
      kind: "opted_out",
      actor,
      campaign,
      site,
      user: client,
      data: { number: markOf(ctx, "phone", `+${phone}`), by },
    }),
  ];
}
