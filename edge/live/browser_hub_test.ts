import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import { liveEventSchema } from "shared/live_event.ts";
import type { Caller } from "../http/router.ts";
import { BROWSER_CLOSE, type BrowserSocket, createBrowserHub } from "./browser_hub.ts";
import type { EventRow } from "./tail.ts";

const DANA: Caller = {
  client: 1,
  person: 1,
  username: "dana",
  role: "client",
  duty: "owner",
  sessionHash: "d1",
};
const YOSSI: Caller = {
  client: 2,
  person: 2,
  username: "yossi",
  role: "client",
  duty: "owner",
  sessionHash: "y1",
};
const ADMIN: Caller = {
  client: 3,
  person: 3,
  username: "admin",
  role: "admin",
  duty: "owner",
  sessionHash: "a1",
};

Deno.test("createBrowserHub() sends a client their own events and administrators those for them", () => {
  const hub = createBrowserHub(() => 0);
  const dana = socketOf(hub, DANA);
  const yossi = socketOf(hub, YOSSI);
  const admin = socketOf(hub, ADMIN);
  hub.deliver(event({ type: "campaign_changed", client: 1, campaign: 7, data: { campaignId: 7 } }));
  hub.deliver(event({ type: "device_changed", forAdmins: true, data: { siteId: 2 } }));
  hub.deliver(event({ type: "account_changed", data: { siteId: 2 } }));
  assert.deepEqual(dana.types(), ["campaign_changed"]);
  assert.deepEqual(yossi.types(), []);
  assert.deepEqual(admin.types(), ["device_changed"]);
});

Deno.test("createBrowserHub() still sends to one administrator after another has left", () => {
  const hub = createBrowserHub(() => 0);
  const [gone, admin] = [socketOf(hub, ADMIN), socketOf(hub, ADMIN)];
  hub.remove(gone);
  hub.deliver(event({ type: "device_changed", forAdmins: true, data: { siteId: 2 } }));
  assert.deepEqual([gone.types(), admin.types()], [[], ["device_changed"]]);
});

Deno.test("createBrowserHub() sends an event once to an administrator who also owns it", () => {
  const hub = createBrowserHub(() => 0);
  const admin = socketOf(hub, ADMIN);
  hub.deliver(event({ type: "campaign_changed", client: 3, forAdmins: true, data: { campaignId: 7 } }));
  assert.equal(admin.sent.length, 1);
});

Deno.test("createBrowserHub() does not send what is not a live event", () => {
  const hub = createBrowserHub(() => 0);
  const dana = socketOf(hub, DANA);
  hub.deliver(event({ type: "recall", client: 1 }));
  hub.deliver(event({ type: "settings_changed", client: 1, forAdmins: true }));
  assert.deepEqual(dana.sent, []);
});

Deno.test("createBrowserHub() sends a campaign's progress at most four times a second, the last one always", () => {
  fc.assert(fc.property(fc.array(fc.nat(400), { minLength: 1, maxLength: 60 }), (gapsMs) => {
    let now = 1_000;
    const hub = createBrowserHub(() => now);
    const dana = socketOf(hub, DANA, () => now);
    for (const [index, gapMs] of gapsMs.entries()) {
      now += gapMs;
      hub.deliver(progress(index + 1));
      hub.flush();
    }
    const dueMs = hub.flush();
    if (dueMs !== null) {
      assert.ok(dueMs > 0 && dueMs <= 250);
      now += dueMs;
      assert.equal(hub.flush(), null);
    }
    const shown = dana.sent.map(({ text }) => JSON.parse(text).id);
    assert.equal(shown.at(-1), gapsMs.length);
    for (const [index, { at }] of dana.sent.entries()) {
      if (index > 0) assert.ok(at - dana.sent[index - 1].at >= 250);
    }
  }));
});

Deno.test("createBrowserHub() drops held-back progress when newer figures overtake it, and only then", () => {
  let now = 1_000;
  const hub = createBrowserHub(() => now);
  const dana = socketOf(hub, DANA);
  hub.deliver(progress(1));
  hub.deliver(progress(2));
  hub.deliver(event({ id: 3, type: "campaign_completed", client: 1, campaign: 7, data: FIGURES }));
  now += 1_000;
  hub.flush();
  assert.deepEqual(dana.sent.map(({ text }) => JSON.parse(text).id), [1, 3]);
  hub.deliver(progress(4));
  hub.deliver(progress(5));
  hub.deliver(event({ id: 6, type: "campaign_changed", client: 1, campaign: 7, data: { campaignId: 7 } }));
  now += 1_000;
  hub.flush();
  assert.deepEqual(dana.sent.map(({ text }) => JSON.parse(text).id), [1, 3, 4, 6, 5]);
});

Deno.test("createBrowserHub() sends what shared/live_event.ts declares", () => {
  const hub = createBrowserHub(() => 0);
  const dana = socketOf(hub, DANA);
  hub.deliver(progress(1));
  assert.deepEqual(liveEventSchema.parse(JSON.parse(dana.sent[0].text)), {
    id: 1,
    type: "campaign_progress",
    data: FIGURES,
  });
});

Deno.test("createBrowserHub() closes the sockets of an ended session, and no other of its user", () => {
  const hub = createBrowserHub(() => 0);
  const phone = socketOf(hub, DANA);
  const laptop = socketOf(hub, { ...DANA, duty: "owner", sessionHash: "d2" });
  hub.deliver(event({ type: "session_ended", data: { duty: "owner", sessionHash: "d1" } }));
  assert.deepEqual([phone.closed, laptop.closed], [BROWSER_CLOSE.sessionEnded, null]);
  assert.equal(hub.size, 1);
});

Deno.test("createBrowserHub() disconnects a browser that reads too slowly, and no other", () => {
  const hub = createBrowserHub(() => 0);
  const slow = socketOf(hub, DANA);
  const quick = socketOf(hub, { ...DANA, duty: "owner", sessionHash: "d2" });
  slow.bufferedAmount = 1_000_000;
  hub.deliver(event({ type: "campaign_changed", client: 1, data: { campaignId: 7 } }));
  assert.deepEqual([slow.closed, slow.sent.length], [BROWSER_CLOSE.tooSlow, 0]);
  assert.deepEqual([quick.closed, quick.sent.length], [null, 1]);
  assert.equal(hub.size, 1);
});

Deno.test("closeAll() closes every socket and forgets it", () => {
  const hub = createBrowserHub(() => 0);
  const dana = socketOf(hub, DANA);
  hub.closeAll();
  assert.deepEqual([dana.closed, hub.size], [BROWSER_CLOSE.goingAway, 0]);
});

const FIGURES = {
  campaignId: 7,
  name: "סתיו",
  status: "active",
  totalContacts: 3,
  sentCount: 1,
  completedAt: null,
  counts: { queued: 2, leased: 0, sent: 1, failed: 0, unknown: 0, skipped: 0, cancelled: 0 },
};

function progress(id: number): EventRow {
  return event({ id, type: "campaign_progress", client: 1, campaign: 7, data: FIGURES });
}

function event(row: Partial<Omit<EventRow, "data">> & { type: string; data?: unknown }): EventRow {
  return {
    id: 1,
    at: 0,
    client: null,
    forAdmins: false,
    site: null,
    campaign: null,
    ...row,
    data: JSON.stringify(row.data ?? {}),
  };
}

/** The far side of a socket: keeps each frame with its time. */
class Browser implements BrowserSocket {
  readonly sent: { at: number; text: string }[] = [];
  closed: number | null = null;
  bufferedAmount = 0;
  readonly readyState = WebSocket.OPEN;
  constructor(readonly now: () => number) {}
  send(text: unknown): void {
    this.sent.push({ at: this.now(), text: String(text) });
  }
  close(code?: number): void {
    this.closed = code ?? 1000;
  }
  types(): string[] {
    return this.sent.map(({ text }) => JSON.parse(text).type);
  }
}

function socketOf(hub: ReturnType<typeof createBrowserHub>, user: Caller, now = () => 0): Browser {
  const browser = new Browser(now);
  hub.add(browser, user);
  return browser;
}

Deno.test("createBrowserHub() sends administrators other users' campaigns at most every two seconds, ends at once", () => {
  let now = 10_000;
  const hub = createBrowserHub(() => now);
  const admin = socketOf(hub, ADMIN);
  hub.deliver(progress(1));
  hub.deliver(progress(2));
  assert.deepEqual(admin.types(), ["client_campaign"]);
  now += 1_999;
  hub.flush();
  assert.equal(admin.sent.length, 1);
  now += 1;
  hub.flush();
  assert.equal(JSON.parse(admin.sent[1]!.text).id, 2, "the newest");
  hub.deliver(progress(3));
  hub.deliver(event({ type: "campaign_completed", client: 1, campaign: 7 }));
  now += 5_000;
  hub.flush();
  assert.deepEqual(admin.types(), Array(3).fill("client_campaign"), "what the end overtook is not told");
});

Deno.test("createBrowserHub() words a line of activity for administrators", () => {
  const hub = createBrowserHub(() => 0);
  const admin = socketOf(hub, ADMIN);
  const row = {
    id: 9,
    kind: "warning",
    code: "device_low_battery",
    data: JSON.stringify({ device: "חולון 7", site: "חולון", battery: 14 }),
    at: 5,
    site: 1,
    device: 2,
    campaign: null,
    user: null,
  };
  hub.deliver(event({ type: "activity", forAdmins: true, data: row }));
  const live = liveEventSchema.parse(JSON.parse(admin.sent[0]!.text));
  assert.deepEqual(
    live.type === "activity" && [live.data.message, live.data.detail, live.data.deviceId],
    [
      "הסוללה ב־14%. המכשיר הפסיק לקבל הודעות",
      "\u2068חולון 7\u2069 · \u2068חולון\u2069",
      2,
    ],
  );
});
