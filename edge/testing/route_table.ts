/**
 * Every route of the edge and its permitted callers; edge/permissions_test.ts compares it with the application's
 * routes.
 */
import { DEFAULT_SETTINGS } from "shared/settings.ts";
import type { createApp } from "../app.ts";

/**
 * - open: anybody.
 * - user: any logged-in person.
 * - own: the owner of :id, and administrators; for others it does not exist.
 * - admin: administrators.
 * - agent: an enrolled site by its own token.
 * - operator: the operator of the edge; for others it does not exist.
 */
export type Access = "open" | "user" | "own" | "admin" | "agent" | "operator";

export interface RouteRule {
  access: Access;
  /** A valid body, if the route takes one. */
  json?: unknown;
  /** For an `own` route: administrators are refused (`not_allowed`), or find nothing, as strangers do. */
  admin?: "refused" | "nothing";
  /** With this body, administrators are asked for their password again (`proof_needed`). */
  needsProof?: true;
}

const OWNERS_ALONE = { access: "own", admin: "refused" } as const;
const PROVED = { access: "admin", needsProof: true } as const;

export const ROUTES: Record<string, RouteRule> = {
  "POST /api/auth/login": { access: "open", json: { username: "nobody", password: "12345678" } },
  "POST /api/auth/logout": { access: "open" },
  "GET /api/auth/me": { access: "user" },
  "POST /api/auth/password": {
    access: "user",
    json: { currentPassword: "wrong password", newPassword: "sisma-aruka-1" },
  },
  "GET /api/auth/sessions": { access: "user" },
  "DELETE /api/auth/sessions": { access: "user", json: { password: "wrong password" } },
  "GET /api/auth/second-factor": { access: "user" },
  "POST /api/auth/second-factor": { access: "user", json: { password: "wrong password" } },
  "POST /api/auth/second-factor/confirm": { access: "user", json: { code: "000000" } },
  "POST /api/auth/second-factor/codes": {
    access: "user",
    json: { password: "wrong password", code: "000000" },
  },
  "DELETE /api/auth/second-factor": { access: "user", json: { password: "wrong password", code: "000000" } },
  "GET /api/users": { access: "admin" },
  "POST /api/users": { ...PROVED, json: { username: "x", password: "sisma-aruka-1", role: "admin" } },
  "PATCH /api/users/:id": { ...PROVED, json: { disabled: false } },
  "PATCH /api/users/:id/quota": { access: "admin", json: { messageQuota: 1 } },
  "POST /api/users/:id/quota/corrections": { access: "admin", json: { delta: 1, reason: "תיקון של טעות" } },
  "GET /api/users/:id/ledger": { access: "own" },
  "GET /api/users/:id/ledger.csv": { access: "own" },
  "GET /api/campaigns": { access: "user" },
  "POST /api/campaigns": { access: "user" },
  "GET /api/campaigns/:id": { access: "own" },
  "PATCH /api/campaigns/:id": { ...OWNERS_ALONE, json: { name: "stolen" } },
  "DELETE /api/campaigns/:id": OWNERS_ALONE,
  "POST /api/campaigns/:id/contacts": OWNERS_ALONE,
  "DELETE /api/campaigns/:id/contacts": OWNERS_ALONE,
  "POST /api/campaigns/:id/contacts/manual": { ...OWNERS_ALONE, json: { numbers: "0501234567" } },
  "POST /api/campaigns/:id/contacts/preview": {
    ...OWNERS_ALONE,
    json: { file: 1, choice: { phone: 1, fields: [] } },
  },
  "POST /api/campaigns/:id/contacts/left-out": {
    ...OWNERS_ALONE,
    json: { file: 1, choice: { phone: 1, fields: [] } },
  },
  "POST /api/campaigns/:id/contacts/staged": {
    ...OWNERS_ALONE,
    json: { file: 1, choice: { phone: 1, fields: [] } },
  },
  "POST /api/staged-files": { access: "user" },
  "GET /api/staged-files/:id": { access: "user" },
  "DELETE /api/staged-files/:id": { access: "user" },
  "GET /api/campaigns/:id/image": { access: "own" },
  "PUT /api/campaigns/:id/image": OWNERS_ALONE,
  "DELETE /api/campaigns/:id/image": OWNERS_ALONE,
  "POST /api/campaigns/:id/send": { access: "own", admin: "nothing" },
  "POST /api/campaigns/:id/take-back": { access: "own", admin: "nothing" },
  "POST /api/campaigns/:id/pause": { access: "own" },
  "POST /api/campaigns/:id/resume": { access: "own" },
  "POST /api/campaigns/:id/cancel": { access: "own" },
  "GET /api/campaigns/:id/deliveries": { access: "own" },
  "POST /api/campaigns/:id/deliveries/search": { access: "own", json: { q: "054" } },
  "GET /api/campaigns/:id/personal": { access: "own" },
  "GET /api/campaigns/:id/personal/rows/:delivery": { access: "own" },
  "POST /api/campaigns/:id/personal/rows": { access: "own", json: { q: "054" } },
  "GET /api/campaigns/:id/deliveries.csv": { access: "own" },
  "GET /api/campaigns/:id/report": { access: "own" },
  "GET /api/campaigns/:id/report.csv": { access: "own" },
  "GET /api/campaigns/:id/report.xlsx": { access: "own" },
  "GET /api/campaigns/:id/recipients.csv": { access: "own" },
  "GET /api/campaigns/:id/recipients.xlsx": { access: "own" },
  "GET /api/campaigns/:id/deliveries/:delivery": { access: "own" },
  "POST /api/campaigns/:id/deliveries/resolve": { access: "own", json: { ids: "all", as: "failed" } },
  "GET /api/campaigns/:id/imports": { access: "own" },
  "DELETE /api/campaigns/:id/imports/:importId": OWNERS_ALONE,
  "GET /api/campaigns/:id/imports/:importId/rejected.csv": { access: "own" },
  "POST /api/campaigns/:id/test": { ...OWNERS_ALONE, json: { phone: "0501234567" } },
  "POST /api/campaigns/:id/duplicate": { ...OWNERS_ALONE, json: { contacts: "none" } },
  "GET /api/campaigns/:id/texts": { access: "own" },
  "PUT /api/campaigns/:id/texts": { ...OWNERS_ALONE, json: { messages: ["אחרת"] } },
  "POST /api/campaigns/:id/texts/choose": { ...OWNERS_ALONE, json: { no: 1 } },
  "GET /api/campaigns/:id/write-again": { access: "own" },
  "POST /api/campaigns/:id/write-again": {
    ...OWNERS_ALONE,
    json: { groups: [{ state: "failed", reason: null }] },
  },
  "POST /api/campaigns/:id/contacts/lists": { ...OWNERS_ALONE, json: { lists: [1] } },
  "POST /api/campaigns/:id/contacts/lists/count": { ...OWNERS_ALONE, json: { lists: [1] } },
  "POST /api/campaigns/:id/save-message": { ...OWNERS_ALONE, json: { name: "סתיו" } },
  "GET /api/saved-messages": { access: "user" },
  "POST /api/saved-messages": { access: "user" },
  "PUT /api/saved-messages/:id": { access: "own", admin: "nothing" },
  "DELETE /api/saved-messages/:id": { access: "own", admin: "nothing" },
  "POST /api/saved-messages/:id/duplicate": { access: "own", admin: "nothing" },
  "GET /api/saved-messages/:id/image": { access: "own", admin: "nothing" },
  "GET /api/lists": { access: "user" },
  "POST /api/lists": { access: "user", json: { name: "לקוחות" } },
  "GET /api/lists/:id": { access: "own" },
  "PATCH /api/lists/:id": { ...OWNERS_ALONE, json: { name: "לקוחות" } },
  "DELETE /api/lists/:id": OWNERS_ALONE,
  "POST /api/lists/:id/search": { access: "own", json: { q: "054" } },
  "POST /api/lists/:id/contacts": { ...OWNERS_ALONE, json: { phone: "0501234567" } },
  "DELETE /api/lists/:id/contacts": { ...OWNERS_ALONE, json: { ids: [1] } },
  "POST /api/lists/:id/numbers": { ...OWNERS_ALONE, json: { numbers: "0501234567" } },
  "POST /api/lists/:id/file": OWNERS_ALONE,
  "POST /api/lists/:id/staged": { ...OWNERS_ALONE, json: { file: 1, choice: { phone: 1, fields: [] } } },
  "POST /api/lists/:id/campaign": { ...OWNERS_ALONE, json: { campaign: 1, states: ["sent"] } },
  "GET /api/lists/:id/contacts/:contact": { access: "own" },
  "PATCH /api/lists/:id/contacts/:contact": { ...OWNERS_ALONE, json: { fields: {} } },
  "GET /api/lists/:id/contacts.csv": { access: "own" },
  "GET /api/lists/:id/contacts.xlsx": { access: "own" },
  "GET /api/statement": { access: "user" },
  "GET /api/statement.csv": { access: "user" },
  "GET /api/statement.xlsx": { access: "user" },
  "PUT /api/statement/mail": { access: "user", json: { email: null } },
  "GET /api/devices/adb-status": { access: "admin" },
  "GET /api/profile": { access: "user" },
  "PUT /api/profile": {
    access: "user",
    json: { name: "משק הדר", address: "", phone: "04-601-0042", email: "" },
  },
  "GET /api/consents.csv": { access: "user" },
  "GET /api/suppressions": { access: "user" },
  "POST /api/suppressions/search": { access: "user", json: { q: "054" } },
  "GET /api/suppressions.csv": { access: "user" },
  "POST /api/suppressions": { access: "user", json: { numbers: "0501234567" } },
  "POST /api/suppressions/file": { access: "user" },
  "DELETE /api/suppressions": { access: "user", needsProof: true, json: { ids: [1, 2, 3] } },
  "GET /api/removals/:token": { access: "open" },
  "POST /api/removals/:token": { access: "open" },
  "GET /api/replies": { access: "user" },
  "POST /api/replies/decide": { access: "user", json: { ids: [1, 2, 3], as: "remove" } },
  "GET /api/admin/dashboard": { access: "admin" },
  "GET /api/admin/trends": { access: "admin" },
  "GET /api/admin/alerts": { access: "admin" },
  "GET /api/admin/capacity": { access: "admin" },
  "GET /api/admin/alerts/items": { access: "admin" },
  "PUT /api/admin/alerts/quiet": {
    access: "admin",
    json: { cause: "no_device", hours: null, seen: { count: 1, newest: null } },
  },
  "DELETE /api/admin/alerts/quiet": { access: "admin", json: { cause: "no_device" } },
  "GET /api/admin/alerts/outside": { access: "admin" },
  "PUT /api/admin/alerts/outside": {
    access: "admin",
    json: { kinds: [{ code: "site_away", email: false, webhook: true }] },
  },
  "POST /api/admin/alerts/test": { access: "admin", json: { channel: "email" } },
  "GET /api/admin/activity": { access: "admin" },
  "POST /api/admin/activity/search": { access: "admin", json: { q: "x" } },
  "GET /api/admin/erasures": { access: "admin" },
  "POST /api/admin/erasures": { access: "admin", json: { phone: "0501234567", reason: "בקשת מחיקה" } },
  "POST /api/admin/erasures/effect": { access: "admin", json: { phone: "0501234567" } },
  "GET /api/admin/erasures/:id": { access: "admin" },
  "GET /api/admin/audit": { access: "admin" },
  "GET /api/admin/audit.csv": { access: "admin" },
  "POST /api/admin/audit/check": { access: "admin" },
  "GET /api/admin/campaigns": { access: "admin" },
  "POST /api/admin/campaigns/search": { access: "admin", json: { q: "x" } },
  "GET /api/admin/campaigns/:id": { access: "admin" },
  "POST /api/admin/campaigns/:id/numbers": { ...PROVED, json: { reason: "בדיקה של תלונה" } },
  "DELETE /api/admin/campaigns/:id/numbers": { access: "admin" },
  "POST /api/admin/lists/:id/numbers": { ...PROVED, json: { reason: "בדיקה של תלונה" } },
  "DELETE /api/admin/lists/:id/numbers": { access: "admin" },
  "POST /api/admin/campaigns/:id/hours-waiver": { access: "admin", json: { reason: "הודעת חירום" } },
  "DELETE /api/admin/campaigns/:id/hours-waiver": { access: "admin" },
  "POST /api/admin/opt-outs/search": { access: "admin", json: { q: "0501234567" } },
  "DELETE /api/admin/opt-outs/:id": { access: "admin", json: { reason: "הנמען ביקש לחזור" } },
  "GET /api/admin/health": { access: "admin" },
  "POST /api/admin/search": { access: "admin", json: { q: "x" } },
  "GET /api/admin/risk": { access: "admin" },
  "GET /api/admin/devices.csv": { access: "admin" },
  "GET /api/admin/devices/:id": { access: "admin" },
  "POST /api/admin/devices/:id/:kind": { access: "admin" },
  "POST /api/admin/looks": { ...PROVED, json: { devices: [1], reason: "בדיקת המסך" } },
  "POST /api/admin/looks/:id/still": { access: "admin" },
  "DELETE /api/admin/looks/:id": { access: "admin" },
  "POST /api/admin/accounts/:id/release": { access: "admin", json: { trip: 1 } },
  "PATCH /api/admin/accounts/:id": { access: "admin", json: { confirmed: true } },
  "GET /api/admin/commands/:id": { access: "admin" },
  "GET /api/admin/files": { access: "admin" },
  "POST /api/admin/files/search": { access: "admin", json: { q: "x" } },
  "POST /api/admin/files": { access: "admin" },
  "GET /api/admin/files/:id": { access: "admin" },
  "GET /api/admin/files/:id/rejected.csv": { access: "admin" },
  "POST /api/admin/files/:id/retry": { access: "admin" },
  "GET /api/admin/settings": { access: "admin" },
  "PUT /api/admin/settings": { ...PROVED, json: { ...DEFAULT_SETTINGS, warmupEnabled: false } },
  "GET /api/admin/sites": { access: "admin" },
  "POST /api/admin/sites": { ...PROVED, json: { name: "תל אביב" } },
  "POST /api/admin/sites/:id/token": PROVED,
  "POST /api/admin/sites/:id/revoke": { access: "admin" },
  "POST /api/admin/sites/:id/start": { access: "admin" },
  "POST /api/admin/sites/:id/write-off": PROVED,
  "POST /api/admin/sites/:id/rehearsals": { access: "admin", json: { asks: true } },
  "GET /api/admin/users/:id": { access: "admin" },
  "POST /api/admin/queues/clear": { access: "admin" },
  "POST /api/agent/enroll": {
    access: "open",
    json: { joinToken: "x".repeat(43), publicKey: "x".repeat(43) },
  },
  "GET /api/openapi.json": { access: "open" },
  "GET /ws": { access: "user" },
  "GET /agent/ws": { access: "agent" },
  "GET /agent/images/:sha256{[0-9a-f]{64}}": { access: "agent" },
  "GET /agent/install.sh": { access: "open" },
  "GET /agent/package/:file{shigur-agent-linux-\\w+\\.tar\\.gz}": { access: "open" },
  "GET /healthz": { access: "open" },
  "GET /readyz": { access: "open" },
  "GET /metrics": { access: "operator" },
  "GET /assets/:file{[\\w.-]+}": { access: "open" },
  "GET /r/*": { access: "open" },
  "GET /assets/*": { access: "open" },
  "GET /:file{[\\w-]+\\.[\\w.-]+}": { access: "open" },
  "GET /*": { access: "open" },
};

/** Handlers before and after the routes: guards, and the answer "not found". They hide no route. */
export const GUARDS = ["/*", "/api/*", "/ws", "/api", "/agent/*"];

/** Returns "METHOD /path" of every route of the application, as its router names them. */
export function routesOf(app: ReturnType<typeof createApp>): string[] {
  const named = app.routes.filter(({ method }) => method !== "ALL").map(({ method, path }) =>
    `${method} ${path}`
  );
  return [...new Set(named)].sort();
}

/** Returns the methods and paths of the guards. */
export function guardsOf(app: ReturnType<typeof createApp>): string[] {
  return [...new Set(app.routes.filter(({ method }) => method === "ALL").map(({ path }) => path))].sort();
}

/** Returns an address of `route` with its names filled in; other patterns get a matching text. */
export function addressOf(route: string, names: Record<string, string | number>): string {
  const path = route.slice(route.indexOf(" ") + 1).replace(/\/\*$/, "/x");
  return path.replace(/:(\w+)(\{[^/]*\})?/g, (_, name) => String(names[name] ?? FITTING[name]));
}

const FITTING: Record<string, string | number> = {
  id: 1,
  kind: "stop",
  delivery: 1,
  importId: 1,
  contact: 1,
  token: "0".repeat(29),
  sha256: "0".repeat(64),
  file: "shigur-agent-linux-x64.tar.gz",
};
