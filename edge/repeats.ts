/**
 * The calls that take an Idempotency-Key: what makes, sends, adds or loads. Each answer is built again from what was
 * made, so no number and no text is kept for it. A call that shows a secret once (an invitation, a key, a site's token)
 * is refused when repeated: it acted, and the secret is not kept.
 */
import { findUser } from "./auth/find_user.ts";
import { readTestsLeft } from "./campaigns/test_send.ts";
import { showCampaign } from "./campaigns/view.ts";
import { describeStaged } from "./contacts/describe_staged.ts";
import { readUploadResult } from "./contacts/read_upload_result.ts";
import type { EdgeContext } from "./context.ts";
import { readCommand } from "./devices/read_commands.ts";
import { readFileItem } from "./files/list_files.ts";
import { HttpError } from "./http/http_error.ts";
import type { EndedCall, Repeat } from "./http/repeat_calls.ts";
import type { Caller } from "./http/router.ts";
import { readCard } from "./lists/contact_card.ts";
import { readOwnList } from "./lists/read_list.ts";
import { readMessageImage } from "./messages/add_image.ts";
import { readMessage } from "./messages/read_messages.ts";
import { readErasure } from "./privacy/list_erasures.ts";
import { readStaged } from "./staging/stage_file.ts";

/** "METHOD /path" of each such call, as the router names it. */
export const REPEATABLE = [
  "POST /api/campaigns",
  "POST /api/campaigns/:id/duplicate",
  "POST /api/campaigns/:id/contacts",
  "POST /api/campaigns/:id/contacts/manual",
  "POST /api/campaigns/:id/contacts/staged",
  "POST /api/campaigns/:id/contacts/lists",
  "POST /api/staged-files",
  "POST /api/lists",
  "POST /api/lists/:id/contacts",
  "POST /api/lists/:id/numbers",
  "POST /api/lists/:id/file",
  "POST /api/lists/:id/staged",
  "POST /api/lists/:id/campaign",
  "POST /api/campaigns/:id/send",
  "POST /api/campaigns/:id/test",
  "POST /api/campaigns/:id/resume",
  "POST /api/campaigns/:id/deliveries/resolve",
  "POST /api/messages",
  "POST /api/messages/images",
  "POST /api/messages/:id/resolve",
  "POST /api/replies/decide",
  "POST /api/suppressions",
  "POST /api/suppressions/file",
  "POST /api/users",
  "POST /api/invitations",
  "POST /api/keys",
  "PATCH /api/users/:id/quota",
  "POST /api/users/:id/quota/corrections",
  "POST /api/admin/files",
  "POST /api/admin/files/:id/retry",
  "POST /api/admin/erasures",
  "POST /api/admin/devices/:id/:kind",
  "POST /api/admin/sites",
  "POST /api/admin/sites/:id/token",
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

  const list = async (caller: Caller, { made }: EndedCall) => {
    const { isMasked: _, ...shown } = await readOwnList(ctx, caller, made!);
    return shown;
  };
  const staged = async ({ person }: Caller, { figures }: EndedCall) => {
    const kept = await readStaged(ctx, person, Number(figures.id));
    return await describeStaged(ctx, person, kept);
  };
  const contact = async (caller: Caller, { figures }: EndedCall, path: string) => {
    const card = await readCard(ctx, await readOwnList(ctx, caller, idIn(path)), Number(figures.id));
    return { id: card.id, phone: card.phone, fields: card.fields };
  };
  const loaded = {
    again: async (caller: Caller, ended: EndedCall) => ({
      ...await suppressed(caller, ended),
      ignoredColumns: [],
    }),
    // Headings are a file's own texts.
    figures: ({ ignoredColumns: _, ...rest }: Record<string, unknown>) => counts(rest),
  };
  const idOf = ({ id }: Record<string, unknown>) => ({ id });
  const secret = () => Promise.reject(new HttpError("secret_given"));

  const how: Record<Repeatable, Omit<Repeat, "method" | "path">> = {
    "POST /api/campaigns": { body: "form", again: campaign },
    "POST /api/campaigns/:id/duplicate": { body: "json", again: campaign },
    "POST /api/campaigns/:id/contacts": { body: "form", again: upload },
    "POST /api/campaigns/:id/contacts/manual": { body: "long", again: upload },
    "POST /api/campaigns/:id/contacts/staged": { body: "json", again: upload },
    "POST /api/campaigns/:id/contacts/lists": { body: "json", again: upload },
    "POST /api/staged-files": { body: "form", again: staged, figures: idOf },
    "POST /api/lists": { body: "json", again: list },
    "POST /api/lists/:id/contacts": { body: "json", again: contact, figures: idOf },
    "POST /api/lists/:id/numbers": { body: "long", ...loaded },
    "POST /api/lists/:id/file": { body: "form", ...loaded },
    "POST /api/lists/:id/staged": { body: "json", ...loaded },
    "POST /api/lists/:id/campaign": { body: "json", ...loaded },
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
    "POST /api/campaigns/:id/resume": { body: "json", again: figures },
    "POST /api/messages": { body: "json", again: (caller, { made }) => readMessage(ctx, caller, made!) },
    "POST /api/messages/images": { body: "form", again: (_, { made }) => readMessageImage(ctx, made!) },
    "POST /api/messages/:id/resolve": {
      body: "json",
      again: (caller, _, path) => readMessage(ctx, caller, idIn(path)),
    },
    "POST /api/replies/decide": { body: "json", again: figures, figures: (answer) => answer },
    "POST /api/campaigns/:id/deliveries/resolve": { body: "json", again: figures },
    "POST /api/suppressions": { body: "json", again: suppressed, figures: counts },
    "POST /api/suppressions/file": { body: "form", again: suppressed, figures: counts },
    "POST /api/users": { body: "json", again: (_, { made }) => findUser(ctx, made!) },
    "POST /api/invitations": { body: "json", again: secret },
    "POST /api/keys": { body: "json", again: secret },
    "PATCH /api/users/:id/quota": { body: "json", again: client },
    "POST /api/users/:id/quota/corrections": { body: "json", again: client },
    "POST /api/admin/files": { body: "form", again: file },
    "POST /api/admin/files/:id/retry": { body: "json", again: file },
    "POST /api/admin/erasures": { body: "json", again: (_, { made }) => readErasure(ctx, made!) },
    "POST /api/admin/devices/:id/:kind": { body: "json", again: (_, { made }) => readCommand(ctx, made!) },
    "POST /api/admin/sites": { body: "json", again: secret },
    "POST /api/admin/sites/:id/token": { body: "json", again: secret },
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
