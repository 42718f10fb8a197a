/** `deno task seed`: a small world of one client and five campaigns, made through the same verbs as people use. */
import { openPasswords } from "./auth/password.ts";
import { createCampaign } from "./campaigns/create.ts";
import { ConfigError, parseConfig } from "./config.ts";
import { importContacts } from "./contacts/import_contacts.ts";
import type { EdgeContext } from "./context.ts";
import { connectDatabase } from "./db/connect.ts";
import { migrateDatabase, readMigrations } from "./db/migrate.ts";
import type { SessionUser } from "./http/router.ts";
import { createLog } from "./log.ts";
import { cancelCampaign } from "./queue/cancel.ts";
import { pauseCampaign } from "./queue/pause.ts";
import { sendCampaign } from "./queue/send.ts";
import { createUser } from "./users/create_user.ts";
import { randomPassword } from "./users/first_start.ts";
import { setQuota } from "./users/set_quota.ts";

const QUOTA = 10_000;

/** What becomes of each campaign after it was written: nothing, contacts, or more. */
const CAMPAIGNS = [
  { name: "טיוטה בלי נמענים", contacts: 0 },
  { name: "מבצע סתיו, מוכן לשליחה", contacts: 200 },
  { name: "תזכורת לתור", contacts: 100, then: ["send"] },
  { name: "עדכון ללקוחות, מושהה", contacts: 150, then: ["send", "pause"] },
  { name: "הזמנה לכנס, בוטל", contacts: 50, then: ["send", "cancel"] },
];

Deno.exit(await main());

async function main(): Promise<number> {
  try {
    say(await seed());
    return 0;
  } catch (error) {
    say(
      error instanceof ConfigError
        ? error.message
        : `Cannot seed: ${error instanceof Error ? error.message : error}`,
    );
    return 1;
  }
}

async function seed(): Promise<string> {
  const config = parseConfig(Deno.env.toObject());
  const db = await connectDatabase(config.databaseUrl, config.databaseAuthToken);
  await migrateDatabase(db, await readMigrations());
  const ctx: EdgeContext = {
    db,
    now: Date.now,
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    // A running edge polls the outbox; there is nobody to wake here.
    wakeOutbox: () => {},
    log: createLog(config.logLevel, Date.now, say),
  };
  const passwords = openPasswords();
  const password = randomPassword(ctx);
  const username = `small-${randomPassword(ctx).slice(0, 4).toLowerCase()}`;
  const made = await createUser(ctx, passwords, { username, password, role: "client" });
  const user: SessionUser = { ...made, sessionHash: "" };
  await setQuota(ctx, { clientId: made.id, actorId: made.id, messageQuota: QUOTA });
  for (const [index, campaign] of CAMPAIGNS.entries()) await makeCampaign(ctx, user, campaign, index);
  passwords.close();
  db.close();
  return `Made client ${username}, password ${password}, with ${CAMPAIGNS.length} campaigns.`;
}

async function makeCampaign(
  ctx: EdgeContext,
  user: SessionUser,
  { name, contacts, then = [] }: (typeof CAMPAIGNS)[number],
  index: number,
): Promise<void> {
  const message = `שלום 🙂\nזו הודעה לדוגמה: ${name}.`;
  const { id } = await createCampaign(ctx, user, { name, message, image: null });
  if (contacts > 0) {
    const numbers = Array.from({ length: contacts }, (_, row) => `05${40_000_001 + index * 1_000 + row}`)
      .join("\n");
    await importContacts(ctx, { id, client: user.id }, { fileName: "", numbers });
  }
  for (const act of then) {
    if (act === "send") await sendCampaign(ctx, user, id);
    if (act === "pause") await pauseCampaign(ctx, user, id);
    if (act === "cancel") await cancelCampaign(ctx, user, id);
  }
}

function say(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
