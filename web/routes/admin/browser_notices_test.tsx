import { withApp } from "../../testing/open_app.tsx";
import type { FakeEdge } from "../../testing/fake_edge_api.ts";
import { makeActivity } from "../../testing/make_fleet.ts";
import assert from "node:assert/strict";
import { screen, waitFor, within } from "@testing-library/react";
import type { AdminAlert } from "shared/admin_api.ts";

const NO_IDS = { siteId: null, deviceId: null, campaignId: null, fileId: null };

function away(siteId: number): AdminAlert {
  return {
    ...NO_IDS,
    cause: "site_away",
    code: "site_away",
    type: "error",
    message: `אתר ${siteId} לא מחובר.`,
    since: 1,
    siteId,
  };
}

/** Replaces the browser's notifications: records the shown ones and the number of tries. */
interface Notices {
  bodies: string[];
  tried: number;
}

/** Opens the administrators' screens in a browser that allows notifications, or only appears to. */
async function withNotices(
  { throws, prepare }: { throws?: Error; prepare?: (edge: FakeEdge) => void },
  use: (notices: Notices, app: Parameters<Parameters<typeof withApp>[1]>[0]) => Promise<void>,
) {
  const notices: Notices = { bodies: [], tried: 0 };
  class StandIn {
    static permission = "granted";
    constructor(_: string, { body }: { body: string }) {
      notices.tried++;
      if (throws) throw throws;
      notices.bodies.push(body);
    }
  }
  const request = async (_: string, ...[options, act]: unknown[]) =>
    await ((act ?? options) as (lock: object) => unknown)({});
  const locks = { request };
  Object.defineProperty(globalThis, "Notification", { value: StandIn, configurable: true });
  Object.defineProperty(navigator, "locks", { value: locks, configurable: true });
  const admin = (edge: FakeEdge) => {
    prepare?.(edge);
    return edge.addUser({ username: "menahel", role: "admin" });
  };
  try {
    await withApp({ path: "/admin/users", prepare: admin }, async (app) => {
      await screen.findByRole("button", { name: "התראות: אין" });
      await app.untilLive();
      await use(notices, app);
    });
  } finally {
    Reflect.deleteProperty(globalThis, "Notification");
    Reflect.deleteProperty(navigator, "locks");
  }
}

function change(edge: FakeEdge, alerts: AdminAlert[]) {
  edge.admin.alerts = alerts;
  edge.emit({ type: "alert", data: { code: "x", message: "x", at: 1 } });
}

Deno.test("many new alerts at once make three notifications and one with the number of others", async () => {
  await withNotices({}, async (notices, { edge }) => {
    change(edge, [1, 2, 3, 4, 5].map(away));
    await waitFor(() =>
      assert.deepEqual(notices.bodies, [
        "אתר 1 לא מחובר.",
        "אתר 2 לא מחובר.",
        "אתר 3 לא מחובר.",
        "ועוד שתי התראות שמחכות לטיפול.",
      ])
    );
    change(edge, [6, 1, 2, 3, 4].map(away));
    await waitFor(() => assert.deepEqual(notices.bodies.slice(4), ["אתר 6 לא מחובר."]));
  });
});

Deno.test("an alert that arrives before the settings is announced when they are known", async () => {
  const prepare = (edge: FakeEdge) => edge.refusals.set("GET /api/admin/settings", "no_answer");
  await withNotices({ prepare }, async (notices, { edge }) => {
    change(edge, [away(1)]);
    await screen.findByRole("button", { name: "התראות: 1 פתוחה" });
    assert.deepEqual(notices.bodies, []);
    edge.refusals.clear();
    edge.emit({ type: "activity", data: makeActivity({ id: 10_001, code: "settings_changed" }) });
    await waitFor(() => assert.deepEqual(notices.bodies, ["אתר 1 לא מחובר."]));
  });
});

Deno.test("a browser that failed at one notification for another reason gets the next one", async () => {
  await withNotices(
    { throws: new DOMException("busy", "InvalidStateError") },
    async (notices, { edge, user }) => {
      change(edge, [away(1)]);
      await user.click(await screen.findByRole("button", { name: "התראות: 1 פתוחה" }));
      change(edge, [away(1), away(2)]);
      await waitFor(() => assert.equal(notices.tried, 2));
      assert.ok(screen.queryByText(/הדפדפן הזה לא יכול להציג התראות/) === null);
    },
  );
});

// Must be the last test: the module remembers the failure, like a page until it is reloaded.
Deno.test("a browser without notifications says so in the panel, and is not tried again", async () => {
  const throws = new TypeError("Failed to construct 'Notification': Illegal constructor.");
  await withNotices({ throws }, async (notices, { edge, user }) => {
    change(edge, [away(1)]);
    await user.click(await screen.findByRole("button", { name: "התראות: 1 פתוחה" }));
    const panel = within(screen.getByRole("dialog", { name: "מה מחכה לטיפול" }));
    await panel.findByText(/הדפדפן הזה לא יכול להציג התראות/);
    change(edge, [away(1), away(2)]);
    await panel.findByText("אתר 2 לא מחובר.");
    assert.deepEqual(notices, { bodies: [], tried: 1 });
  });
});
