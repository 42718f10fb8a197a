import type { z } from "zod";
import type { ImportPreview, previewRequestSchema } from "shared/staged_api.ts";
import type { EdgeContext } from "../context.ts";
import type { CampaignRow } from "../db/schema.ts";
import { createYieldToEventLoop } from "../http/yield_to_event_loop.ts";
import { readStaged } from "../staging/stage_file.ts";
import { seedOf } from "./contact_list.ts";
import { headingRowOf } from "./describe_staged.ts";
import { previewContacts, type PreviewOptions } from "./preview_contacts.ts";
import { readMapped } from "./read_mapped.ts";

export type PreviewAsked = z.infer<typeof previewRequestSchema> & {
  user: number;
  left?: AbortSignal;
};

/**
 * Says what taking in a staged file would do.
 *
 * @throws {HttpError} `not_found` when the file is forgotten; `no_valid_contacts` when it has no row
 */
export async function previewStaged(
  ctx: EdgeContext,
  campaign: Pick<CampaignRow, "id" | "client">,
  { file, choice, declares, user, left }: PreviewAsked,
  onLeftOut?: PreviewOptions["onLeftOut"],
): Promise<ImportPreview> {
  const yieldToEventLoop = createYieldToEventLoop({ left });
  const kept = await readStaged(ctx, user, file);
  await yieldToEventLoop();
  const headingRow = await headingRowOf(kept, yieldToEventLoop);
  // The values are not looked at: they decide nothing.
  const columns = { choice: { ...choice, fields: [] }, headingRow };
  const list = await readMapped(kept.csv, columns, { seed: seedOf(ctx), yieldToEventLoop });
  return await previewContacts(ctx, campaign, list, {
    declares,
    yieldToEventLoop,
    ...(onLeftOut && { onLeftOut }),
  });
}
