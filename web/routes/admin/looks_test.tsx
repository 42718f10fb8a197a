import { type OpenApp, prove, toastWith, withApp } from "../../testing/open_app.tsx";
import { browserWindow } from "../../testing/browser_env.ts";
import type { FakeEdge } from "../../testing/fake_edge_api.ts";
import { makeDevice, makeSite } from "../../testing/make_fleet.ts";
import { STILL_EVERY_MS } from "shared/still.ts";
import assert from "node:assert/strict";
import { act, screen, waitFor, within } from "@testing-library/react";

const PICTURE = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==",
);

function admin(edge: FakeEdge) {
  edge.admin.sites = [
    makeSite({ id: 1, name: "חולון", devices: 14, connectedDevices: 14, lastSeenAt: Date.now() }),
  ];
  edge.admin.devices = Array.from(
    { length: 14 },
    (_, index) =>
      makeDevice({ id: index + 1, name: `חולון ${String(index + 1).padStart(2, "0")}`, site: "חולון" }),
  );
  edge.admin.screens.set(1, PICTURE);
  return edge.addUser({ role: "admin" });
}

interface Sight {
  /** Object URLs made and given up, in order. */
  made: string[];
  revoked: string[];
  /** Hides or shows the page. */
  setHidden(isHidden: boolean): void;
}

/** Runs with everything in sight, as in a browser whose window is high enough, and counts object URLs. */
async function withSight(use: (sight: Sight) => Promise<void>): Promise<void> {
  const real = {
    IntersectionObserver: globalThis.IntersectionObserver,
    createObjectURL: URL.createObjectURL,
    revokeObjectURL: URL.revokeObjectURL,
  };
  const made: string[] = [];
  const revoked: string[] = [];
  globalThis.IntersectionObserver = class {
    constructor(private readonly seen: (entries: { isIntersecting: boolean }[]) => void) {}
    observe() {
      queueMicrotask(() => this.seen([{ isIntersecting: true }]));
    }
    disconnect() {}
  } as unknown as typeof IntersectionObserver;
  URL.createObjectURL = () => {
    made.push(`blob:still-${made.length + 1}`);
    return made.at(-1)!;
  };
  URL.revokeObjectURL = (url) => void revoked.push(url);
  try {
    await use({
      made,
      revoked,
      setHidden(isHidden) {
        Object.defineProperty(document, "visibilityState", {
          configurable: true,
          get: () => isHidden ? "hidden" : "visible",
        });
        browserWindow.document.dispatchEvent(new browserWindow.Event("visibilitychange"));
      },
    });
  } finally {
    Reflect.deleteProperty(document, "visibilityState");
    globalThis.IntersectionObserver = real.IntersectionObserver;
    Object.assign(URL, { createObjectURL: real.createObjectURL, revokeObjectURL: real.revokeObjectURL });
  }
}

/** Passes the time after which the next picture would have been asked for. */
async function longerThanTheNext(): Promise<void> {
  await act(() => new Promise((done) => setTimeout(done, STILL_EVERY_MS + 300)));
}

async function giveReason(user: OpenApp["user"]) {
  const dialog = within(await screen.findByRole("dialog", { name: "למה לראות את המסך?" }));
  await user.type(dialog.getByLabelText("הסיבה"), "המכשיר לא שולח");
  await user.click(dialog.getByRole("button", { name: "לראות את המסך" }));
  await prove(user);
}

Deno.test("a phone's screen shows after a reason and a proof, with its age, until the person ends it", () =>
  withSight(async ({ made, revoked }) => {
    await withApp({ path: "/admin/devices/1", prepare: admin }, async ({ edge, user }) => {
      await user.click(await screen.findByRole("button", { name: "לראות את המסך" }));
      const dialog = within(await screen.findByRole("dialog", { name: "למה לראות את המסך?" }));
      await user.type(dialog.getByLabelText("הסיבה"), "לא");
      await user.click(dialog.getByRole("button", { name: "לראות את המסך" }));
      assert.ok(dialog.getByText("נא לכתוב סיבה, במילים אחדות."));
      assert.deepEqual(edge.admin.stillsAsked, [], "nothing is asked of the phone before the reason");
      await user.type(dialog.getByLabelText("הסיבה"), " שולח כבר שעה");
      await user.click(dialog.getByRole("button", { name: "לראות את המסך" }));
      await prove(user);
      const picture = await screen.findByRole("img", { name: "המסך של חולון 01" });
      assert.equal(picture.getAttribute("src"), "blob:still-1");
      assert.ok(screen.getByText("לפני שנייה"));
      assert.ok(screen.getByText(/^אפשר לראות עד \d\d:\d\d\. הצפייה והסיבה נרשמו ביומן הביקורת\.$/));
      assert.deepEqual(edge.admin.reasons, ["לא שולח כבר שעה"]);
      const close = screen.getByRole("button", { name: "סיום הצפייה" });
      assert.equal(document.activeElement, close, "the focus is on the way out");
      // The next one comes by itself, three seconds later; the first is given up then.
      await waitFor(() => assert.equal(made.length, 2));
      assert.deepEqual(revoked, ["blob:still-1"]);
      await user.click(close);
      assert.equal(screen.queryByRole("img", { name: "המסך של חולון 01" }), null);
      assert.deepEqual(revoked, made, "no picture stays in the page's memory");
      await waitFor(() => assert.equal(edge.admin.endedLooks.length, 1));
      assert.equal(document.activeElement, screen.getByRole("button", { name: "לראות את המסך" }));
    });
  }));

for (
  const [code, words] of [
    ["phone_away", "המכשיר לא זמין כרגע, ולכן אין תמונה של המסך."],
    ["agent_too_old", "התוכנה שבאתר ישנה מדי ולא יודעת להראות מסך. נא לעדכן אותה."],
    ["no_still", "המכשיר באמצע שליחה, והיא קודמת. מנסים שוב."],
    ["site_elsewhere", "האתר מחובר דרך שרת אחר, ומכאן אי אפשר לראות את המסך. ממשיכים לנסות."],
  ] as const
) {
  Deno.test(`without a picture the screen says why: ${code}`, () =>
    withSight(async () => {
      const prepare = (edge: FakeEdge) => {
        const person = admin(edge);
        edge.admin.screens.set(1, code);
        return person;
      };
      await withApp({ path: "/admin/devices/1", prepare }, async ({ edge, user }) => {
        await user.click(await screen.findByRole("button", { name: "לראות את המסך" }));
        await giveReason(user);
        await waitFor(() => assert.ok(screen.getAllByText(words).length > 0));
        if (code === "site_elsewhere") {
          assert.ok(edge.admin.stillsAsked.length >= 6, "it tried other edges first");
        }
        if (code === "agent_too_old") {
          assert.equal(edge.admin.stillsAsked.length, 1);
          await longerThanTheNext();
          assert.equal(edge.admin.stillsAsked.length, 1, "an old program is not asked again");
        }
      });
    }));
}

Deno.test("a hidden page asks for no picture, and goes on when it is seen again", () =>
  withSight(async ({ made, setHidden }) => {
    await withApp({ path: "/admin/devices/1", prepare: admin }, async ({ edge, user }) => {
      await user.click(await screen.findByRole("button", { name: "לראות את המסך" }));
      await giveReason(user);
      await screen.findByRole("img", { name: "המסך של חולון 01" });
      setHidden(true);
      const before = edge.admin.stillsAsked.length;
      await longerThanTheNext();
      assert.equal(edge.admin.stillsAsked.length, before);
      setHidden(false);
      await waitFor(() => assert.equal(made.length, before + 1));
    });
  }));

Deno.test("the look ends by its time, and its last picture goes", () =>
  withSight(async ({ made, revoked }) => {
    const prepare = (edge: FakeEdge) => {
      const person = admin(edge);
      edge.admin.lookMs = 1_500;
      return person;
    };
    await withApp({ path: "/admin/devices/1", prepare }, async ({ user }) => {
      await user.click(await screen.findByRole("button", { name: "לראות את המסך" }));
      await giveReason(user);
      await screen.findByText("הצפייה נגמרה אחרי חמש דקות. כדי להמשיך צריך לומר שוב למה.");
      await waitFor(() => assert.equal(screen.queryByRole("img", { name: "המסך של חולון 01" }), null));
      assert.deepEqual(revoked, made);
    });
  }));

Deno.test("several phones of a site show beside one another after one reason", () =>
  withSight(async () => {
    const prepare = (edge: FakeEdge) => {
      const person = admin(edge);
      for (let id = 1; id <= 14; id++) edge.admin.screens.set(id, PICTURE);
      edge.admin.screens.set(2, "phone_away");
      return person;
    };
    await withApp({ path: "/admin/sites/1/screens", prepare }, async ({ edge, user }) => {
      await screen.findByRole("heading", { level: 1, name: "מסכי האתר" });
      await screen.findByText("חולון · 14 מכשירים");
      await user.click(screen.getByRole("button", { name: "לראות 12 מסכים" }));
      await giveReason(user);
      await waitFor(() => assert.equal(screen.getAllByRole("img", { name: /^המסך של/ }).length, 11));
      assert.equal(new Set(edge.admin.stillsAsked).size, 12);
      assert.ok(screen.getAllByText("המכשיר לא זמין כרגע, ולכן אין תמונה של המסך.").length > 0);
      assert.ok(screen.getByRole("link", { name: "חולון 12" }));
      await user.click(screen.getByRole("button", { name: "סיום הצפייה" }));
      await waitFor(() => assert.equal(edge.admin.endedLooks.length, 12));
      await user.selectOptions(screen.getByLabelText("אילו מכשירים"), "מכשירים 13 עד 14");
      assert.ok(
        screen.getByRole("button", { name: "לראות שני מסכים" }),
        "another group needs its own reason",
      );
    });
  }));

Deno.test("a refused look says so, and leaves nothing open", () =>
  withSight(async () => {
    const prepare = (edge: FakeEdge) => {
      const person = admin(edge);
      edge.refusals.set("POST /api/admin/looks", { code: "not_found", error: "המכשיר לא נמצא." });
      return person;
    };
    await withApp({ path: "/admin/devices/1", prepare }, async ({ user }) => {
      await user.click(await screen.findByRole("button", { name: "לראות את המסך" }));
      const dialog = within(await screen.findByRole("dialog", { name: "למה לראות את המסך?" }));
      await user.type(dialog.getByLabelText("הסיבה"), "המכשיר לא שולח");
      await user.click(dialog.getByRole("button", { name: "לראות את המסך" }));
      assert.match(await toastWith("אי אפשר לראות את המסך"), /המכשיר לא נמצא\./);
      assert.equal(screen.queryByRole("dialog"), null);
    });
  }));

Deno.test("a site without phones says so", async () => {
  await withApp({ path: "/admin/sites/9/screens", prepare: admin }, async () => {
    await screen.findByText("אין מכשירים באתר הזה.");
  });
});
