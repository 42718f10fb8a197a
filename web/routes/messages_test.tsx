import { toastWith, untilIdle, withApp } from "../testing/open_app.tsx";
import type { FakeEdge } from "../testing/fake_edge_api.ts";
import assert from "node:assert/strict";
import { screen, waitFor, within } from "@testing-library/react";
import type { Message } from "shared/messages_api.ts";

const PATH = "/account/messages";

function message(given: Partial<Message> = {}): Message {
  return {
    id: 7,
    state: "sent",
    reason: null,
    mode: "live",
    to: "+972543710968",
    text: "התור שלך מחר ב־10:00",
    kind: "service",
    hasImage: false,
    reference: "order-7",
    sendAfter: null,
    expiresAt: 86_400_000,
    createdAt: 0,
    updatedAt: 0,
    attempts: 1,
    sender: "+972559000001",
    ...given,
  };
}

function withMessages(messages: Message[], more: Partial<Pick<FakeEdge, "paused">> = {}) {
  return (edge: FakeEdge) => {
    Object.assign(edge, { messages, ...more });
    return edge.addUser();
  };
}

const open = async (user: { click(element: Element): Promise<void> }) =>
  await user.click(await screen.findByRole("button", { name: "פרטי ההודעה אל 054-371-0968" }));

Deno.test("the account leads to the messages, and an empty list says where they come from", async () => {
  await withApp({ path: "/account", prepare: withMessages([]) }, async ({ user }) => {
    await user.click(await screen.findByRole("link", { name: "להודעות" }));
    await screen.findByRole("heading", { level: 1, name: "הודעות ממערכות" });
    await screen.findByText("עוד אין הודעות ממערכות");
    await user.click(screen.getByRole("button", { name: "ניסיון" }));
    await screen.findByText("עוד אין הודעות ניסיון");
  });
});

Deno.test("a message shows its text, its reason and its times, and is found by number, reference and state", async () => {
  const failed = message({
    id: 8,
    state: "failed",
    reason: "not_on_app",
    to: "+972521234567",
    reference: null,
  });
  await withApp({ path: PATH, prepare: withMessages([failed, message()]) }, async ({ user }) => {
    await screen.findByText("אין חשבון במספר הזה");
    await open(user);
    const dialog = within(await screen.findByRole("dialog", { name: "פרטי ההודעה" }));
    dialog.getByText("התור שלך מחר ב־10:00");
    dialog.getByText("order-7");
    dialog.getByText("055-900-0001");
    await user.keyboard("{Escape}");
    await user.type(screen.getByRole("searchbox"), "order-7");
    await waitFor(() => assert.equal(screen.queryByText("אין חשבון במספר הזה"), null));
    await user.clear(screen.getByRole("searchbox"));
    await user.selectOptions(screen.getByRole("combobox", { name: "מצב" }), "נכשל");
    await screen.findByText("אין חשבון במספר הזה");
    await user.selectOptions(screen.getByRole("combobox", { name: "מצב" }), "פג תוקף");
    await screen.findByText("אין הודעות במצב הזה.");
  });
});

Deno.test("a waiting message is cancelled; one that has left offers nothing", async () => {
  await withApp(
    { path: PATH, prepare: withMessages([message({ state: "queued" })]) },
    async ({ edge, user }) => {
      await open(user);
      await user.click(await screen.findByRole("button", { name: "ביטול ההודעה" }));
      await toastWith("ההודעה בוטלה");
      assert.equal(edge.messages[0]!.state, "cancelled");
      await open(user);
      await screen.findByRole("dialog");
      assert.equal(screen.queryByRole("button", { name: "ביטול ההודעה" }), null);
      await user.keyboard("{Escape}");
      await untilIdle();
    },
  );
});

Deno.test("a message of unknown outcome waits for a person's decision, with nothing chosen before", async () => {
  const doubtful = message({ state: "unknown", reason: "send_not_verified" });
  await withApp({ path: PATH, prepare: withMessages([doubtful]) }, async ({ edge, user }) => {
    await open(user);
    const dialog = within(await screen.findByRole("dialog"));
    for (const radio of dialog.getAllByRole<HTMLInputElement>("radio")) assert.equal(radio.checked, false);
    await user.click(dialog.getByRole("radio", { name: /^לסמן כנשלח/ }));
    await user.click(dialog.getByRole("button", { name: "סימון כנשלח" }));
    await toastWith("ההכרעה נרשמה");
    assert.equal(edge.messages[0]!.state, "sent");
    await untilIdle();
  });
});

Deno.test("paused messages say why, and go on by a person's word", async () => {
  const paused = [{
    carrier: 40,
    kind: "service" as const,
    by: "failed",
    trip: 3,
    why: "60% מההודעות האחרונות נכשלו (12 מתוך 20).",
    waiting: 2,
  }];
  await withApp({ path: PATH, prepare: withMessages([message()], { paused }) }, async ({ edge, user }) => {
    await screen.findByText(/12 מתוך 20.*2 הודעות מחכות/);
    await user.click(screen.getByRole("button", { name: "המשך שליחה" }));
    await toastWith("השליחה נמשכת");
    assert.deepEqual(edge.paused, []);
    await untilIdle();
  });
});

Deno.test("a message whose person was erased shows neither number nor text, and a test says that no phone has it", async () => {
  const gone = message({ to: "", text: null, reference: null });
  const test = message({ id: 9, mode: "test" });
  await withApp({ path: PATH, prepare: withMessages([gone, test]) }, async ({ user }) => {
    await screen.findByText("הנוסח נמחק יחד עם המספר");
    await user.click(screen.getByRole("button", { name: "ניסיון" }));
    await screen.findByText("ניסיון, לא יצאה לטלפון");
  });
});

Deno.test("an administrator has no such screen", async () => {
  const admin = (edge: FakeEdge) => edge.addUser({ role: "admin" });
  await withApp({ path: PATH, prepare: admin }, async () => {
    await screen.findByRole("heading", { level: 1, name: "החשבון שלי" });
  });
});
