/**
 * The calls that take an Idempotency-Key: what makes, sends, adds or loads. Each answer is built again from what was
 * made, so no number and no text is kept for it. A call that shows a secret once (an invitation, a key, a site's token)
 * takes none: its answer could not be given twice.
 */
import { findUser } from "./auth/find_user.ts";
import { readTestsLeft } from "./campaigns/test_send.ts";
import { showCampaign } from "./campaigns/view.ts";
import { readUploadResult } from "./contacts/read_upload_result.ts";
import type { EdgeContext } from "./context.ts";
import { readFileItem } from "./files/list_files.ts";
import type { EndedCall, Repeat } from "./http/repeat_calls.ts";
import type { Caller } from "./http/router.ts";

/** "METHOD /path" of each such call, as the router names it. */
export const REPEATABLE = [
  "POST /api/campaigns",
  "POST /api/campaigns/:id/duplicate",
  "POST /api/campaigns/:id/contacts",
  "POST /api/campaigns/:id/contacts/manual",
  "POST /api/campaigns/:id/send",
  "POST /api/campaigns/:id/test",
  "POST /api/campaigns/:id/deliveries/resolve",
  "POST /api/suppressions",
  "POST /api/suppressions/file",
  "PATCH /api/users/:id/quota",
  "POST /api/users/:id/quota/corrections",
  "POST /api/admin/files",
  "POST /api/admin/files/:id/retry",
] as const;
type Repeatable = (typeof REPEATABLE)[number];

/** Returns how each of REPEATABLE is answered again. */
export function repeats(ctx: EdgeContext): Repeat[] {
  const campaign = (caller: Caller, { made }: EndedCall) => showCampaign(ctx, caller, made!);
  const upload = (_: Caller, { made }: EndedCall) => readUploadResult(ctx, made!);
  const quotaOf = async ({ person }: Caller) => (await findUser(ctx, person)).messageQuota;
  const figures = (_: Caller, ended: EndedCall) => Promise.resolve(ended.figures);
  const suppressed = (_: Caller, ended: EndedCall) => Promise.resolve({ ...ended.figures, problems: [] });
  const client = (_: Caller, __: EndedCall, path: string) => findUser(ctx, idIn(path));
  const file = (_: Caller, { made }: EndedCall, path: string) => readFileItem(ctx, made ?? idIn(path));
  // The rows themselves may hold numbers.
  const counts = ({ problems: _, ...rest }: Record<string, unknown>) => rest;

  const how: Record<Repeatable, Omit<Repeat, "method" | "path">> = {
    "POST /api/campaigns": { body: "form", again: campaign },
    "POST /api/campaigns/:id/duplicate": { body: "json", again: campaign },
    "POST /api/campaigns/:id/contacts": { body: "form", again: upload },
    "POST /api/campaigns/:id/contacts/manual": { body: "long", again: upload },
    "POST /api/campaigns/:id/send": {
      body: "json",
      again: async (caller) => ({ remainingQuota: await quotaOf(caller) }),
    },
    "POST /api/campaigns/:id/test": {
      body: "json",
      again: async (caller, { made }) => ({
        campaignId: made!,
        remainingQuota: await quotaOf(caller),
        remainingToday: await readTestsLeft(ctx, caller.client),
      }),
    },
    "POST /api/campaigns/:id/deliveries/resolve": { body: "json", again: figures },
    "POST /api/suppressions": { body: "json", again: suppressed, figures: counts },
    "POST /api/suppressions/file": { body: "form", again: suppressed, figures: counts },
    "PATCH /api/users/:id/quota": { body: "json", again: client },
    "POST /api/users/:id/quota/corrections": { body: "json", again: client },
    "POST /api/admin/files": { body: "form", again: file },
    "POST /api/admin/files/:id/retry": { body: "json", again: file },
  };
  return REPEATABLE.map((call) => {
    const [method, path] = call.split(" ") as [string, string];
    return { method, path: new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}$`), ...how[call] };
  });
}

/** Returns whether a call of the document, such as "POST /api/campaigns/{id}/send", takes an Idempotency-Key. */
export function isRepeatable(method: string, path: string): boolean {
  return (REPEATABLE as readonly string[]).includes(`${method} ${path.replace(/\{(\w+)\}/g, ":$1")}`);
}

function idIn(path: string): number {
  return Number(/\/(\d+)(?:\/|$)/.exec(path)?.[1]);
}
