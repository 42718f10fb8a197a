/** The database that all runs of one process share: made once, and restored to its start before each run. */
import { backup, DatabaseSync } from "node:sqlite";
import type { Client } from "@libsql/client/web";
import { connectDatabase } from "../../edge/db/connect.ts";
import { LocalClient } from "../../edge/db/local_client.ts";
import { noteAudit } from "../../edge/audit_log/note_audit.ts";
import { markOf } from "../../edge/audit_log/number_mark.ts";
import { sealAudit } from "../../edge/audit_log/seal.ts";
import { openFleet, START } from "../../edge/testing/fleet.ts";

export const SITES = 3;
/** Devices of all sites together; the first site has two, and the first of those has two accounts. */
export const DEVICES = 4;
export const EDGES = 2;
/** Recipients of each campaign; all campaigns have the same. */
export const CONTACTS = 3;
export const FIRST_PHONE = 972_540_000_001;

/** Returns a message that names each recipient: the first of every list has no value, and gets the fallback. */
export function personalText(text: string): string {
  return `${text} {{שם|אתם}}`;
}

/** Returns the text that a number has to get, whatever the database holds of it. */
export function textFor(message: string, phone: number): string {
  return message.replace("{{שם|אתם}}", phone === FIRST_PHONE ? "אתם" : `נמען ${phone}`);
}

export interface Ground extends AsyncDisposable {
  /** Database clients, one for each edge. */
  clients: readonly Client[];
  /** A direct connection that bypasses the product. */
  raw: DatabaseSync;
  /** Folder of the journals. */
  folder: string;
  clientIds: readonly number[];
  sites: readonly { id: number; devices: readonly string[] }[];
  /** Returns the person of a mark; undefined when they are on no list. */
  personOf(mark: string): number | undefined;
  /** Path of the open database. */
  path: string;
  /** Returns the path of a copy that save() makes. */
  fileOf(name: string): string;
  /** Copies the present database. */
  save(name: string): Promise<void>;
  /** Replaces the open database with a copy. */
  putBack(name: string): Promise<void>;
}

/** Makes a database with clients, ready campaigns and sites, saved as "beginning". */
export async function openGround({ remote = false } = {}): Promise<Ground> {
  // The model crashes only processes, so a file in memory is as safe as one on a disk.
  const under = await Deno.stat("/dev/shm").then(() => "/dev/shm", () => undefined);
  const folder = await Deno.makeTempDir({ dir: under, prefix: "shigur-model-" });
  const fleet = await openFleet({ remote, under });
  const { db } = fleet.ctx;
  const { path, url } = fleet.database;
  const clientIds: number[] = [];
  for (const campaigns of [2, 1]) {
    // Just enough quota for what is sent: a `sent` reported later finds an empty balance.
    const client = await fleet.addClient(campaigns * CONTACTS);
    clientIds.push(client.id);
    for (let n = 0; n < campaigns; n++) {
      const text = `${client.id}/${n}`;
      await addCampaign(db, { client: client.id, text: n === 0 ? personalText(text) : text, now: START });
    }
  }
  for (const client of clientIds) await addList(db, client);
  // Phones know a campaign by its text, and the runs of a repeat have the same one.
  await db.execute(`CREATE TRIGGER model_names_runs AFTER INSERT ON campaigns WHEN NEW.message LIKE 'repeat%'
    BEGIN UPDATE campaigns SET message = NEW.message || ' ' || NEW.id WHERE id = NEW.id; END`);
  const sites: { id: number; devices: string[] }[] = [];
  for (let n = 0; n < SITES; n++) {
    const { site: id, devices } = await fleet.addSite(n === 0 ? DEVICES - SITES + 1 : 1, n === 0 ? 2 : 1);
    sites.push({ id, devices });
  }
  await db.batch([
    "UPDATE sites SET journal_id = NULL, journal_counter = 0",
    // The model's sites send no inventory. Their phones always answer, so only the sites decide who is usable.
    "UPDATE devices SET proof_at = 9000000000000000",
    "DELETE FROM events",
    "INSERT INTO settings (key, value, updated_at) VALUES ('maxMessagesPerDay', '6', 0), ('rateLimit', '1', 0), " +
    "('hourlyPercent', '100', 0)",
  ], "write");
  // A restore takes data along only from a database with the same first row of its log.
  await db.execute(noteAudit(START, { kind: "exported", actor: null, data: { what: "devices" } }));
  await sealAudit(fleet.ctx);
  const people = new Map(
    Array.from({ length: CONTACTS }, (_, contact) => FIRST_PHONE + contact)
      .map((phone) => [markOf(fleet.ctx, "phone", `+${phone}`), phone]),
  );
  // With a constant clock a client never pauses for other processes.
  const open = () => remote ? connectDatabase(url) : new LocalClient(path, { clock: () => 0 });
  const clients = [await open(), await open()];
  const raw = new DatabaseSync(path, { defensive: false });
  const version = raw.prepare("PRAGMA schema_version").get()?.schema_version;
  const fileOf = (name: string) => `${folder}/${name}.db`;

  async function save(name: string) {
    await backup(raw, fileOf(name));
  }

  async function putBack(name: string) {
    using copy = new DatabaseSync(fileOf(name), { readOnly: true });
    await backup(copy, path);
    // Keep the schema version: preparing every statement again would take longer than a run.
    raw.exec(`PRAGMA schema_version = ${version}`);
  }

  async function close() {
    raw.close();
    for (const client of clients) client.close();
    await fleet[Symbol.asyncDispose]();
    await Deno.remove(folder, { recursive: true });
  }

  await save("beginning");
  return {
    clients,
    raw,
    folder,
    path,
    clientIds,
    sites,
    personOf: (mark) => people.get(mark),
    fileOf,
    save,
    putBack,
    [Symbol.asyncDispose]: close,
  };
}

/** Adds a ready campaign with the same contacts as every other. */
export async function addCampaign(
  db: Pick<Client, "batch">,
  { client, text, now }: { client: number; text: string; now: number },
): Promise<void> {
  await db.batch([
    {
      sql: `INSERT INTO campaigns (client, name, message, status, queued_count, created_at, updated_at)
        VALUES (?, 'מבצע', ?, 'ready', ?, ?, ?)`,
      args: [client, text, CONTACTS, now, now],
    },
    {
      // Every list has the values, also of a campaign that is plain.
      sql: `INSERT INTO deliveries (campaign, phone, fields, updated_at)
        SELECT (SELECT max(id) FROM campaigns), ${FIRST_PHONE} + value,
          iif(value = 0, NULL, json_object('שם', 'נמען ' || (${FIRST_PHONE} + value))), ? FROM json_each(?)`,
      args: [now, JSON.stringify([...Array(CONTACTS).keys()])],
    },
  ], "write");
}

/** Adds the client's list of all contacts, with the values that every campaign has. */
async function addList(db: Client, client: number): Promise<void> {
  await db.batch([
    {
      sql:
        `INSERT INTO lists (client, name, name_key, size, created_at, updated_at) VALUES (?, 'כולם', 'כולם', ?, 0, 0)`,
      args: [client, CONTACTS],
    },
    ...[...Array(CONTACTS).keys()].flatMap((contact) => [
      {
        sql: "INSERT INTO list_members (list, phone) VALUES ((SELECT max(id) FROM lists), ?)",
        args: [FIRST_PHONE + contact],
      },
      {
        sql: `INSERT INTO contacts (client, phone, fields, source, created_at, updated_at, used_at)
          VALUES (?, ?, ?, 'file', 0, 0, 0)`,
        args: [
          client,
          FIRST_PHONE + contact,
          contact === 0 ? null : JSON.stringify({ "שם": `נמען ${FIRST_PHONE + contact}` }),
        ],
      },
    ]),
  ], "write");
}
