import assert from "node:assert/strict";
import { withPhones } from "../../simulator/testing/with_phones.ts";
import type { PhoneTraits } from "../../simulator/phone/traits.ts";
import { parseReading, READ_SCREEN } from "./read_screen.ts";
import { shapeOf, type UnknownScreen } from "./screen_shape.ts";

const SECRETS = ["972501234567", "501234567", "50-123-4567", "שלום", "סוד", "דנה"];

/** Returns the shape of the chat after an update, with `rows` messages in it. */
async function shapeWith(
  { rows = 0, app = "com.whatsapp", ...traits }: Partial<PhoneTraits> & { rows?: number; app?: string },
  prepare: (phone: { lies: Record<string, number> }) => void = () => {},
): Promise<UnknownScreen> {
  let found: UnknownScreen | null = null;
  const lies: Record<string, number> = {};
  const accounts = [{ app, user: 0, firstInstalledAt: 0 }];
  await withPhones(
    { traits: () => ({ accounts, language: "he", ...traits }), lies },
    async ({ simulator, shell }) => {
      const phone = simulator.phones[0]!;
      prepare({ lies });
      for (let row = 0; row < rows; row++) phone.accounts[0]!.receive("972501234567", `סוד ${row}`);
      phone.updateApps("2.26.1.5");
      phone.wake();
      phone.dismissKeyguard();
      phone.openChat(phone.accounts[0]!, "972501234567", "שלום");
      const account = { device: "SIM0001", app, user: 0 };
      const reading = parseReading(await shell(READ_SCREEN), account);
      found = shapeOf(reading, account);
    },
  );
  return found!;
}

Deno.test("shapeOf() is the same for the same screen with other chats, words, languages and both apps", async () => {
  const { fingerprint, kind, window, ids } = await shapeWith({});
  assert.match(fingerprint, /^[0-9a-f]{24}$/);
  assert.deepEqual([kind, window], ["screen", "com.whatsapp.Conversation"]);
  assert.ok(ids.includes("entry_n") && ids.includes("send_n"), ids.join(" "));
  for (
    const other of [
      { rows: 5 },
      { language: "ru" as const },
      { app: "com.whatsapp.w4b" },
      { contacts: { "972501234567": "דנה" }, serial: "SIM0001" },
    ]
  ) {
    assert.equal((await shapeWith(other)).fingerprint, fingerprint, JSON.stringify(other));
  }
});

Deno.test("shapeOf() differs for another screen, and tells no number, no name and no text", async () => {
  const chat = await shapeWith({ rows: 3, contacts: { "972501234567": "דנה" } });
  const dialog = await shapeWith({ rows: 3 }, ({ lies }) => void (lies.newDialog = 1));
  assert.notEqual(chat.fingerprint, dialog.fingerprint);
  assert.equal(dialog.kind, "dialog");
  for (const { seen: _, ...said } of [chat, dialog]) {
    for (const secret of SECRETS) assert.ok(!JSON.stringify(said).includes(secret), secret);
  }
});

Deno.test("shapeOf() takes out long runs of digits and all signs that no name has", () => {
  const focus = "mCurrentFocus=Window{1 u0 com.whatsapp/com.whatsapp.Chat972501234567}";
  const node = '<node resource-id="row-972501234567 שלום" class="a.B" package="com.whatsapp"/>';
  const output = `<?xml ?><hierarchy>${node}</hierarchy>\n${focus}\n7.0 1\n${crypto.randomUUID()}`;
  const account = { device: "SIM0001", app: "com.whatsapp", user: 0 };
  const { ids, window } = shapeOf(parseReading(output, account), account);
  assert.deepEqual([ids, window], [["rowN"], "com.whatsapp.ChatN"]);
});
