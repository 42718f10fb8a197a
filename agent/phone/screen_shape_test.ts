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

/** Returns the shape of a screen with one part. */
function shapeOfPart(part: string, activity = "com.whatsapp.Conversation"): UnknownScreen {
  const focus = `mCurrentFocus=Window{1 u0 com.whatsapp/${activity}}`;
  const output = `<?xml ?><hierarchy>${part}</hierarchy>\n${focus}\n7.0 1\n${crypto.randomUUID()}`;
  const account = { device: "SIM0001", app: "com.whatsapp", user: 0 };
  return shapeOf(parseReading(output, account), account);
}

Deno.test("shapeOf() tells no name that may be made of what is shown, and counts it", () => {
  const part = (id: string, className = "a.B") =>
    `<node resource-id="${id}" class="${className}" package="com.whatsapp"/>`;
  const { ids, window, fingerprint } = shapeOfPart(
    part("com.whatsapp:id/chat_DanaLevi_052_13_57_911", "Dana.Levi") + part("com.whatsapp:id/send_n"),
    "com.whatsapp.Conversation.Dana_Levi",
  );
  assert.deepEqual([ids, window], [["send_n", "id_1"], "com.whatsapp.Conversation.name"]);
  const other = shapeOfPart(
    part("com.whatsapp:id/chat_Yael_054", "Yael.Cohen") + part("com.whatsapp:id/send_n"),
    "com.whatsapp.Conversation.Yael",
  );
  assert.equal(other.fingerprint, fingerprint);
  for (const id of ["row-972501234567 שלום", "chat_052", "DanaLevi", "d_a_n_a", "צור", "chat_will_page"]) {
    assert.deepEqual(shapeOfPart(part(id)).ids, ["id_1"], id);
  }
  const windows = ["com.whatsapp.Chat972501234567", "צור", "Will Page", "com.whatsapp.Dana"];
  for (const activity of windows) {
    assert.match(shapeOfPart(part("send_n"), activity).window, /^(?:com\.whatsapp\.)?name$/, activity);
  }
});
