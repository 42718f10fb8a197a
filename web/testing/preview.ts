/**
 * Serves a built application with the fake edge and sample data, under the real content policy: `deno run -A
 * web/testing/preview.ts [--port=8900] [--dist=web/dist]`. Log in as dana or admin / sod-gadol. `--many=200` adds
 * that many phones.
 */
import { extname, join, normalize } from "node:path";
import { type DeliveryReason, type DeliveryState, MOVED_BY } from "shared/delivery.ts";
import type { DeliveryStep } from "shared/http_api.ts";
import { seedAdminSample } from "./admin_sample.ts";
import { FakeEdge } from "./fake_edge_api.ts";
import { makeDelivery } from "./make_campaign.ts";

const CONTENT_POLICY = "default-src 'none'; script-src 'self'; style-src 'self' " +
  "'sha256-TBymqJXQvXKxe+z+3ydUYBErlkFFu110c5FjiVB8p+M=' 'sha256-aSysLrDECVdJ6L+jLf8CC5QKLmwRuk/OZiZk9mYky8A='; " +
  "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; " +
  "frame-ancestors 'none'";

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".woff2": "font/woff2",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
};

/** Returns a handler for the application's files and, under /api and /ws, the fake edge. */
function previewHandler(edge: FakeEdge, distDir: string): (request: Request) => Promise<Response> {
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith("/api/") || pathname === "/ws") return await edge.handle(request);
    const wanted = extname(pathname) ? normalize(pathname) : "/index.html";
    try {
      const body = await Deno.readFile(join(distDir, wanted));
      const headers = {
        "content-type": TYPES[extname(wanted)] ?? "application/octet-stream",
        "content-security-policy": CONTENT_POLICY,
      };
      return new Response(body, { headers });
    } catch {
      return new Response("Not found", { status: 404 });
    }
  };
}

/** Fills the fake edge with a client's data after some weeks of use. */
function seedSample(edge: FakeEdge, now: number): void {
  const hour = 3_600_000;
  edge.addUser({ username: "dana", messageQuota: 12_480 });
  edge.addUser({ username: "new", messageQuota: 0 });
  edge.addUser({ username: "admin", role: "admin", messageQuota: 0 });
  edge.addCampaign({
    name: "שנה טובה ללקוחות",
    message: "שנה טובה ומתוקה מכל משפחת משק הדר! תודה שאתם איתנו",
    status: "completed",
    counts: { sent: 1204 },
    startedAt: now - 76 * hour,
    completedAt: now - 75 * hour,
  });
  edge.addCampaign({
    name: "מועדון חברים: הרשמה",
    message: "פרסומת. מצטרפים למועדון משק הדר ומקבלים סל ירקות ראשון ב־25 ₪ הנחה.",
    status: "paused",
    counts: { sent: 512, failed: 71, queued: 217 },
    startedAt: now - 30 * hour,
    lastSentAt: now - 29 * hour,
    notices: [{ code: "paused_by_rule", since: now - 29 * hour, count: 71 }],
  });
  edge.addCampaign({ name: "טיוטה לחנוכה", message: "חג אורים שמח!", notices: [{ code: "no_contacts" }] });
  const ready = edge.addCampaign({
    name: "תזכורת איסוף הזמנות",
    message: "שלום, ההזמנה שלך מוכנה לאיסוף במשק הדר מחר בין 08:00 ל־14:00. נתראה!",
    status: "ready",
    counts: { queued: 860 },
    estimate: { endsAt: now + 3 * 24 * hour, by: "capacity" },
  });
  edge.deliveries.set(ready.id, manyDeliveries(860, now));
  const running = edge.addCampaign({
    name: "פתיחת עונת הרימונים",
    message:
      "פרסומת\nהרימונים הראשונים הגיעו: ארגז 5 ק״ג ב־49 ₪ לאיסוף מהמשק או במשלוח עד הבית, עד יום חמישי בלבד.\nמשק הדר, 04-601-0042\nלהסרה השיבו ״הסר״",
    status: "active",
    counts: { sent: 1742, leased: 6, failed: 11, unknown: 2, skipped: 24, queued: 1415 },
    startedAt: now - 42 * 60_000,
    lastSentAt: now - 2000,
    pace: 41.4,
    estimate: { endsAt: now + 35 * 60_000, by: "pace" },
    notices: [{ code: "unknown_deliveries", count: 2 }],
  });
  edge.addCampaign({
    name: "מבצע אופניים",
    message: "שלום, האופניים שלך מוכנים לאיסוף.",
    status: "active",
    counts: { sent: 40, queued: 300 },
    startedAt: now - 30 * 60_000,
    lastSentAt: now - 9 * 60_000,
    notices: [{ code: "stalled", cause: "not_asking", count: 300, since: now - 9 * 60_000 }],
  });
  edge.addCampaign({
    name: "הזמנה לערב פתיחה",
    message: "בואו לחגוג איתנו.",
    status: "active",
    counts: { sent: 400, queued: 2491 },
    startedAt: now - 130 * 60_000,
    lastSentAt: now - 1000,
    pace: 38,
    estimate: { endsAt: now + 3 * 24 * hour, by: "pace" },
  });
  edge.stories.set(3, unknownStory(now));
  edge.sessions = [
    { createdAt: now - 3 * hour, lastSeenAt: now - 4000, userAgent: BROWSERS[0], isThis: true },
    { createdAt: now - 50 * hour, lastSeenAt: now - 2 * hour, userAgent: BROWSERS[1], isThis: false },
  ];
  running.imageUrl = `/api/campaigns/${running.id}/image`;
  edge.deliveries.set(running.id, sampleDeliveries(now));
  const moves = [
    ["refund", 35, 12_480, running],
    ["reserve", -3200, 12_445, running],
    ["grant", 10_000, 15_645, undefined],
  ] as const;
  moves.forEach(([kind, delta, balanceAfter, campaign], index) =>
    edge.ledger.push({
      id: index + 1,
      at: now - index * 13 * hour,
      kind,
      delta,
      balanceAfter,
      campaignId: campaign?.id ?? null,
      campaignName: campaign?.name ?? null,
      actor: kind === "grant" ? "admin" : kind === "reserve" ? "client" : "system",
      actorName: null,
      reason: null,
    })
  );
}

const BROWSERS = [
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0.0.0 Safari/537.36",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1",
];

/** A first attempt that was given up before the tap, and a second one with an unknown outcome. */
function unknownStory(now: number): DeliveryStep[] {
  const site = {
    site: "חולון",
    account: null,
    sender: "+972559000002",
    reason: null,
    result: null,
    tappedAt: null,
  };
  const minute = 60_000;
  return [
    { ...site, at: now - 20 * minute, what: "leased", by: MOVED_BY.edge, attempt: 1 },
    { ...site, at: now - 20 * minute + 900, what: "acked", by: MOVED_BY.site, attempt: 1 },
    {
      ...site,
      at: now - 19 * minute,
      what: "queued",
      by: MOVED_BY.site,
      attempt: 1,
      reason: "chat_not_opened",
      result: "applied",
    },
    { ...site, at: now - 9 * minute, what: "leased", by: MOVED_BY.edge, attempt: 2 },
    { ...site, at: now - 9 * minute + 700, what: "acked", by: MOVED_BY.site, attempt: 2 },
    {
      ...site,
      at: now - 8 * minute,
      what: "unknown",
      by: MOVED_BY.site,
      attempt: 2,
      reason: "send_not_verified",
      result: "applied",
      tappedAt: now - 8 * minute - 2000,
    },
  ];
}

function sampleDeliveries(now: number) {
  const head: [DeliveryState, DeliveryReason | null, string | null][] = [
    ["sent", null, "חולון 3/com.whatsapp/0"],
    ["leased", null, "חולון 4/com.whatsapp/0"],
    ["unknown", "send_not_verified", "חולון 2/com.whatsapp/0"],
    ["failed", "not_on_app", "חולון 3/com.whatsapp/0"],
    ["skipped", "opted_out", null],
    ["queued", null, null],
    ["unknown", "agent_restarted", "חולון 1/com.whatsapp/0"],
  ];
  const firsts = head.map(([state, reason, account], index) =>
    makeDelivery({
      id: index + 1,
      phone: `+97254371096${index}`,
      state,
      reason,
      account,
      at: now - index * 1000,
    })
  );
  return [...firsts, ...manyDeliveries(3193, now)];
}

function manyDeliveries(count: number, now: number) {
  return Array.from({ length: count }, (_, index) =>
    makeDelivery({
      id: 1000 + index,
      phone: `+97252${String(1_000_000 + index * 37)}`,
      state: index < count * 0.54 ? "sent" : "queued",
      sender: index < count * 0.54 ? "+972559000001" : null,
      at: now - index * 900,
    }));
}

if (import.meta.main) {
  const option = (name: string) =>
    Deno.args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
  const edge = new FakeEdge();
  seedSample(edge, Date.now());
  seedAdminSample(edge, Date.now(), Number(option("many") ?? 0));
  Deno.serve(
    { port: Number(option("port") ?? 8900), hostname: "127.0.0.1" },
    previewHandler(edge, option("dist") ?? "web/dist"),
  );
}
