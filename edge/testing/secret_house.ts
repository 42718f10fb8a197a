/** A client with one row of everything, each with a mark that only this client may see, and callers who search for it. */
import assert from "node:assert/strict";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import type { GivenDuty } from "shared/duty.ts";
import { MEMORY_FOLDER } from "shared/testing/memory_folder.ts";
import { takeReplies } from "../opt_out/take_replies.ts";
import { type AdminHouse, openAdminHouse } from "./admin_house.ts";
import { OPT_IN, paste, saveProfile } from "./advertising.ts";
import { loadFile, makeList } from "./list_acts.ts";
import { report, sendNew, take } from "./queue_acts.ts";
import { PROOF, type TestKey, type TestPerson } from "./test_app.ts";

/** Part of every text that the owner wrote. */
export const SECRET = "סוד של הבעלים";
/** Part of every number that the owner loaded, with or without its dashes. */
const SECRET_DIGITS = "7771234";

export interface SecretHouse extends AdminHouse {
  owner: TestPerson;
  other: TestPerson;
  /** People of the owner's account, by their duty. */
  people: Record<GivenDuty, TestPerson>;
  /** A sender of `other`'s account. */
  othersSender: TestPerson;
  /** An open invitation of the owner. */
  invitation: number;
  /** The owner's key with all scopes. */
  key: TestKey;
  /** `other`'s key with all scopes. */
  othersKey: TestKey;
  /** The owner's campaign, ready to be sent, with an image, a contact and a rejected row. */
  campaign: number;
  delivery: number;
  importId: number;
  /** The owner's message by call, which waits. */
  message: number;
  /** The owner's list, with one contact. */
  list: number;
  contact: number;
  /** A ready campaign of `other`. */
  othersCampaign: number;
  /** Returns all rows of the owner. */
  belongings(): Promise<unknown>;
}

let furnished: ReturnType<typeof furnish> | undefined;

/** Opens a house; `await using` closes everything. It is filled once per file of tests; each test gets a copy. */
export async function openSecretHouse(): Promise<SecretHouse> {
  const { copy, known, ids } = await (furnished ??= furnish());
  const house = await openAdminHouse(copy);
  const { edge } = house;
  const { owner, other, othersSender, key, othersKey, ...rest } = known;
  const again = (person: TestPerson) => edge.knownPerson(person);
  const people = { reader: again(rest.reader), writer: again(rest.writer), sender: again(rest.sender) };

  async function belongings(): Promise<unknown> {
    const mine = `SELECT id FROM campaigns WHERE client = ${owner.id}`;
    const queries = [
      `SELECT * FROM users WHERE id = ${owner.id}`,
      `SELECT * FROM sessions WHERE user = ${owner.id}`,
      `SELECT id, username_key, duty, waits, left_at FROM users WHERE works_for = ${owner.id}`,
      `SELECT * FROM invitations WHERE client = ${owner.id}`,
      `SELECT id, scopes, revoked_at, unconfirmed FROM api_keys WHERE owner = ${owner.id}`,
      `SELECT * FROM campaigns WHERE client = ${owner.id}`,
      `SELECT * FROM deliveries WHERE campaign IN (${mine})`,
      `SELECT * FROM messages WHERE client = ${owner.id}`,
      `SELECT * FROM imports WHERE campaign IN (${mine})`,
      ...["quota_ledger", "suppressions", "advertisers", "consents", "replies", "lists", "contacts"].map((
        table,
      ) => `SELECT * FROM ${table} WHERE client = ${owner.id}`),
    ];
    const results = await edge.ctx.db.batch(queries, "read");
    for (const [index, { rows }] of results.entries()) assert.ok(rows.length > 0, queries[index]);
    return results.map(({ rows }) => rows.map((row) => ({ ...row })));
  }
  return {
    ...house,
    ...ids,
    owner: again(owner),
    other: again(other),
    othersSender: again(othersSender),
    key: edge.knownKey(key),
    othersKey: edge.knownKey(othersKey),
    people,
    belongings,
  };
}

async function furnish() {
  await using house = await openAdminHouse();
  const { edge, fleet, admin } = house;
  const owner = await edge.addPerson({ messageQuota: 5 });
  const other = await edge.addPerson({ messageQuota: 5 });
  const numbers = { json: { numbers: `050${SECRET_DIGITS}` }, method: "POST" };
  assert.equal((await owner.ask("/api/suppressions", numbers)).status, 200);
  await saveProfile(owner, { name: SECRET });
  await addReply(house, owner);

  const campaign = await addCampaign(owner, SECRET);
  await paste(owner, campaign, "0527771234\n0501", { ...OPT_IN, source: SECRET });
  const words = { to: `054${SECRET_DIGITS}`, text: SECRET, kind: "service", reference: SECRET };
  const message = await owner.ask("/api/messages", { method: "POST", json: words });
  assert.equal(message.status, 202);
  const list = await makeList(owner, SECRET);
  await loadFile(owner, list, ["phone,name", `0537771234,${SECRET}`]);
  const othersCampaign = await addCampaign(other, "סתיו");
  await paste(other, othersCampaign, "0521111111", OPT_IN);
  const delivery = await fleet.one(`SELECT id, import FROM deliveries WHERE campaign = ${campaign}`);

  const contact = Number((await fleet.one("SELECT id FROM contacts")).id);

  const [reader, writer, sender] = [
    await edge.addColleague(owner, "reader"),
    await edge.addColleague(owner, "writer"),
    await edge.addColleague(owner, "sender"),
  ];
  const othersSender = await edge.addColleague(other, "sender");
  const invited = { method: "POST", json: { label: SECRET, duty: "reader", proof: PROOF } };
  const { invitation } = await (await owner.ask("/api/invitations", invited)).json();

  const key = await edge.addKey(owner, { name: SECRET });
  const othersKey = await edge.addKey(other);

  const folder = await mkdtemp(join(MEMORY_FOLDER, "shigur-house-"));
  globalThis.addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
  const path = join(folder, "house.db");
  await edge.ctx.db.execute({ sql: "VACUUM INTO ?", args: [path] });
  return {
    copy: { path, now: edge.clock.now, admin, sites: 1 },
    known: { owner, other, reader, writer, sender, othersSender, key, othersKey },
    ids: {
      campaign,
      delivery: Number(delivery.id),
      importId: Number(delivery.import),
      othersCampaign,
      invitation: Number(invitation.id),
      list,
      contact,
      message: Number((await message.json()).id),
    },
  };
}

/** Returns whether `text` contains anything of the owner's. */
export function containsSecret(text: string): boolean {
  return text.includes(SECRET) || text.replaceAll(/[-\s]/g, "").includes(SECRET_DIGITS);
}

async function addCampaign(person: TestPerson, words: string): Promise<number> {
  const form = new FormData();
  form.set("name", words);
  form.set("message", words);
  form.set("kind", "marketing");
  const picture = new URL("../campaigns/testdata/picture.png", import.meta.url);
  form.set("image", new File([await Deno.readFile(picture)], "picture.png"));
  const made = await person.ask("/api/campaigns", { method: "POST", body: form });
  assert.equal(made.status, 201, await made.clone().text());
  return Number((await made.json()).id);
}

/** Adds a sent campaign, and an unclear answer to it that waits for the owner. */
async function addReply({ edge, fleet }: AdminHouse, owner: TestPerson): Promise<void> {
  const site = await fleet.addSite();
  const { phones } = await sendNew(fleet, 1, owner);
  await report(fleet, site, await take(fleet, site), "sent", { tappedAt: edge.clock.now });
  await takeReplies(edge.ctx, site, [{
    id: "0".repeat(32),
    phone: phones[0]!,
    account: `${site.devices[0]}/com.whatsapp/0`,
    decision: "unclear",
    excerpt: SECRET,
    at: edge.clock.now,
  }]);
}
