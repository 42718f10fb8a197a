/**
 * The calls that a key may make, each with the scope that it needs. A call that is not here is refused to every key:
 * passwords, sessions, second factors, people, keys, erasures, shown numbers, looks at screens, undone removals,
 * waivers, settings, and what asks for a password again.
 */
import type { KeyScope } from "shared/api_key.ts";

/** "any" = every key that works. A list = the first for clients' keys, the second for administrators'. */
export type CallScopes = readonly KeyScope[] | "any";

const READ = ["campaigns:read", "admin:read"] as const;
const WRITE = ["campaigns:write"] as const;
const SEND = ["campaigns:send"] as const;
const STOP = ["campaigns:send", "admin:write"] as const;
const CONTACTS = ["contacts"] as const;
const LISTS = ["contacts", "admin:read"] as const;
const REPORTS = ["reports"] as const;
const BOTH_REPORTS = ["reports", "admin:read"] as const;
const OPT_OUTS = ["opt_outs"] as const;
const MESSAGES = ["messages:send"] as const;
const READ_MESSAGES = ["messages:send", "admin:read"] as const;
const ADMIN_READ = ["admin:read"] as const;
const ADMIN_WRITE = ["admin:write"] as const;

export const KEY_CALLS: Readonly<Record<string, CallScopes>> = {
  "GET /api/auth/me": "any",
  "GET /api/openapi.json": "any",
  "GET /api/campaigns": READ,
  "POST /api/campaigns": WRITE,
  "GET /api/campaigns/:id": READ,
  "PATCH /api/campaigns/:id": WRITE,
  "DELETE /api/campaigns/:id": WRITE,
  "GET /api/campaigns/:id/image": READ,
  "PUT /api/campaigns/:id/image": WRITE,
  "DELETE /api/campaigns/:id/image": WRITE,
  "POST /api/campaigns/:id/duplicate": WRITE,
  "POST /api/campaigns/:id/contacts": CONTACTS,
  "DELETE /api/campaigns/:id/contacts": CONTACTS,
  "POST /api/campaigns/:id/contacts/manual": CONTACTS,
  "POST /api/campaigns/:id/contacts/preview": CONTACTS,
  "POST /api/campaigns/:id/contacts/left-out": CONTACTS,
  "POST /api/campaigns/:id/contacts/staged": CONTACTS,
  "POST /api/campaigns/:id/contacts/lists": CONTACTS,
  "POST /api/campaigns/:id/contacts/lists/count": CONTACTS,
  "POST /api/staged-files": CONTACTS,
  "GET /api/staged-files/:id": CONTACTS,
  "DELETE /api/staged-files/:id": CONTACTS,
  "GET /api/lists": LISTS,
  "POST /api/lists": CONTACTS,
  "GET /api/lists/:id": LISTS,
  "PATCH /api/lists/:id": CONTACTS,
  "DELETE /api/lists/:id": CONTACTS,
  "POST /api/lists/:id/search": LISTS,
  "POST /api/lists/:id/contacts": CONTACTS,
  "DELETE /api/lists/:id/contacts": CONTACTS,
  "GET /api/lists/:id/contacts/:contact": LISTS,
  "PATCH /api/lists/:id/contacts/:contact": CONTACTS,
  "POST /api/lists/:id/numbers": CONTACTS,
  "POST /api/lists/:id/file": CONTACTS,
  "POST /api/lists/:id/staged": CONTACTS,
  "POST /api/lists/:id/campaign": CONTACTS,
  "GET /api/lists/:id/contacts.csv": CONTACTS,
  "GET /api/lists/:id/contacts.xlsx": CONTACTS,
  "GET /api/campaigns/:id/imports": CONTACTS,
  "DELETE /api/campaigns/:id/imports/:importId": CONTACTS,
  "GET /api/campaigns/:id/imports/:importId/rejected.csv": CONTACTS,
  "POST /api/campaigns/:id/send": SEND,
  "POST /api/campaigns/:id/test": SEND,
  "POST /api/campaigns/:id/take-back": SEND,
  "POST /api/campaigns/:id/pause": STOP,
  "POST /api/campaigns/:id/resume": STOP,
  "POST /api/campaigns/:id/cancel": STOP,
  "POST /api/campaigns/:id/deliveries/resolve": SEND,
  "GET /api/campaigns/:id/deliveries": BOTH_REPORTS,
  "POST /api/campaigns/:id/deliveries/search": BOTH_REPORTS,
  "GET /api/campaigns/:id/personal": BOTH_REPORTS,
  "POST /api/campaigns/:id/personal/rows": BOTH_REPORTS,
  "GET /api/campaigns/:id/deliveries.csv": REPORTS,
  "GET /api/campaigns/:id/deliveries/:delivery": BOTH_REPORTS,
  "POST /api/messages": MESSAGES,
  "GET /api/messages": READ_MESSAGES,
  "POST /api/messages/search": READ_MESSAGES,
  "GET /api/messages.csv": REPORTS,
  "POST /api/messages/images": MESSAGES,
  "GET /api/messages/:id": READ_MESSAGES,
  "POST /api/messages/:id/cancel": MESSAGES,
  "POST /api/messages/:id/resolve": MESSAGES,
  "GET /api/users/:id/ledger": BOTH_REPORTS,
  "GET /api/users/:id/ledger.csv": BOTH_REPORTS,
  "GET /api/profile": READ,
  "GET /api/consents.csv": REPORTS,
  "GET /api/suppressions": OPT_OUTS,
  "POST /api/suppressions/search": OPT_OUTS,
  "GET /api/suppressions.csv": OPT_OUTS,
  "POST /api/suppressions": OPT_OUTS,
  "POST /api/suppressions/file": OPT_OUTS,
  "GET /api/replies": OPT_OUTS,
  "POST /api/replies/decide": OPT_OUTS,
  "GET /api/users": ADMIN_READ,
  "PATCH /api/users/:id/quota": ADMIN_WRITE,
  "POST /api/users/:id/quota/corrections": ADMIN_WRITE,
  "GET /api/devices/adb-status": ADMIN_READ,
  "GET /api/admin/dashboard": ADMIN_READ,
  "GET /api/admin/trends": ADMIN_READ,
  "GET /api/admin/alerts": ADMIN_READ,
  "GET /api/admin/capacity": ADMIN_READ,
  "GET /api/admin/alerts/items": ADMIN_READ,
  "PUT /api/admin/alerts/quiet": ADMIN_WRITE,
  "DELETE /api/admin/alerts/quiet": ADMIN_WRITE,
  "GET /api/admin/activity": ADMIN_READ,
  "POST /api/admin/activity/search": ADMIN_READ,
  "GET /api/admin/audit": ADMIN_READ,
  "GET /api/admin/audit.csv": ADMIN_READ,
  "GET /api/admin/campaigns": ADMIN_READ,
  "POST /api/admin/campaigns/search": ADMIN_READ,
  "GET /api/admin/campaigns/:id": ADMIN_READ,
  "GET /api/admin/health": ADMIN_READ,
  "POST /api/admin/search": ADMIN_READ,
  "GET /api/admin/risk": ADMIN_READ,
  "GET /api/admin/devices.csv": ADMIN_READ,
  "GET /api/admin/devices/:id": ADMIN_READ,
  "POST /api/admin/devices/:id/:kind": ADMIN_WRITE,
  "POST /api/admin/accounts/:id/release": ADMIN_WRITE,
  "GET /api/admin/commands/:id": ADMIN_READ,
  "GET /api/admin/files": ADMIN_READ,
  "POST /api/admin/files/search": ADMIN_READ,
  "POST /api/admin/files": ADMIN_WRITE,
  "GET /api/admin/files/:id": ADMIN_READ,
  "POST /api/admin/files/:id/retry": ADMIN_WRITE,
  "GET /api/admin/sites": ADMIN_READ,
  "GET /api/admin/users/:id": ADMIN_READ,
  "POST /api/admin/queues/clear": ADMIN_WRITE,
};

/** Calls that send a body and change nothing: what is looked for stands in no address. */
const READING_POST = /\/(search|rows|count|preview|left-out)$/;
/**
 * Calls of a test key that change something: drafts and their files, and messages, which then reach no phone. The
 * client's lists are real ones.
 */
const DRAFT_SCOPES: readonly CallScopes[] = [WRITE, CONTACTS, MESSAGES];
const DRAFT_PATH = /^\/api\/(campaigns|staged-files|messages)(\/|$)/;

const patterns = Object.entries(KEY_CALLS).map(([call, scopes]) => {
  const [method, path] = call.split(" ") as [string, string];
  const words = path.replaceAll(".", "\\.").replace(/:\w+/g, "[^/]+");
  const isDraft = method === "GET" || (method === "POST" && READING_POST.test(path)) ||
    (DRAFT_SCOPES.includes(scopes) && DRAFT_PATH.test(path));
  return { method, path: new RegExp(`^${words}$`), scopes, isDraft };
});

export interface KeyCall {
  scopes: CallScopes;
  /** Whether a test key may make it as well. */
  isDraft: boolean;
}

/** Returns what a key needs for a call; undefined = no key may make it. */
export function findKeyCall(method: string, path: string): KeyCall | undefined {
  const asked = method === "HEAD" ? "GET" : method;
  return patterns.find((call) => call.method === asked && call.path.test(path));
}
