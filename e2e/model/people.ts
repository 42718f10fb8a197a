/** Acts of people at any edge and at any time, and the edges' own duties; each is a verb of the edge. */
import type { Client } from "@libsql/client/web";
import { revokeSite } from "../../edge/sites/revoke_site.ts";
import { startSite } from "../../edge/sites/start_site.ts";
import { writeOffSite } from "../../edge/sites/write_off_site.ts";
import type { EdgeContext } from "../../edge/context.ts";
import { countOf } from "../../edge/text/hebrew_count.ts";
import { readCampaign } from "../../edge/campaigns/read.ts";
import { duplicateCampaign } from "../../edge/contacts/duplicate.ts";
import { countGroups, writeAgain } from "../../edge/contacts/write_again.ts";
import { editCampaign } from "../../edge/campaigns/edit.ts";
import { writeTexts } from "../../edge/campaigns/texts.ts";
import { chooseText } from "../../edge/queue/choose_text.ts";
import { sendChecked } from "../../edge/campaigns/send_checked.ts";
import { sendCommand } from "../../edge/devices/send_command.ts";
import { HttpError } from "../../edge/http/http_error.ts";
import { eraseNumbers } from "../../edge/privacy/erase_numbers.ts";
import { repeatErasures } from "../../edge/privacy/repeat_erasures.ts";
import { startErasure } from "../../edge/privacy/start_erasure.ts";
import { cancelCampaign } from "../../edge/queue/cancel.ts";
import { clearQueues } from "../../edge/queue/clear_queues.ts";
import { pauseCampaign } from "../../edge/queue/pause.ts";
import { resolveDeliveries, type ResolveRequest } from "../../edge/queue/resolve.ts";
import { resumeCampaign } from "../../edge/queue/resume.ts";
import { takeBackSend } from "../../edge/queue/take_back.ts";
import { suppressPhone } from "../../edge/testing/suppress_phone.ts";
import { runDueTicks } from "../../edge/queue/ticks.ts";
import { EdgeGoneError, type EdgeHost } from "./edge.ts";
import { addCampaign, CONTACTS, FIRST_PHONE, type Ground, personalText } from "./ground.ts";
import type { AskedToSend, Wanted } from "./warning.ts";
import type { World } from "./world.ts";

/** Most campaigns in a world. */
export const MAX_CAMPAIGNS = 8;
const ADMIN = { id: 0, role: "admin" as const };

export class People {
  readonly #world: Pick<World, "edges" | "oracle" | "sites" | "time">;
  readonly #ground: Ground;
  readonly #host: EdgeHost;
  readonly #failed: (error: unknown) => void;
  /** Writes under way that bypass the edges; other users of the database wait for them. */
  #writes = 0;
  /** Whether any person was erased. */
  haveErased = false;
  #texts = 0;

  constructor(
    world: Pick<World, "edges" | "oracle" | "sites" | "time">,
    ground: Ground,
    host: EdgeHost,
    failed: (error: unknown) => void,
  ) {
    this.#world = world;
    this.#ground = ground;
    this.#host = host;
    this.#failed = failed;
  }

  get isWriting(): boolean {
    return this.#writes > 0;
  }

  tick(edge: number): boolean {
    return this.#act(edge, "tick", (ctx) => runDueTicks(ctx));
  }

  /** `wanted` = the sender's decision about contacts reached in a lost time. */
  send(edge: number, index: number, wanted: Wanted = "ask", delaySeconds = 0): boolean {
    return this.#actOn(edge, "send", index, async (ctx, { id, client }) => {
      const { warning } = this.#world.oracle;
      const asked = warning.asksToSend(id, client, wanted);
      const reached = wanted === "ask" ? undefined : wanted;
      try {
        await sendChecked(ctx, { id: client }, id, { reached, delaySeconds });
      } catch (error) {
        if (error instanceof HttpError) this.#judgeRefusal(asked, error);
        throw error;
      }
      warning.sentAsAsked(asked);
    });
  }

  #judgeRefusal(asked: AskedToSend, { code, body: { error: text } }: HttpError): void {
    const { warning } = this.#world.oracle;
    if (code === "campaign_not_ready" && text.includes("כשכל האתרים ידווחו")) warning.refusedAsOwed(asked);
    if (code !== "reached_in_lost_time") return;
    const count = [...Array(CONTACTS + 1).keys()].find((n) => text.includes(countOf(n, "contact")));
    warning.refusedAsReached(asked, count ?? 0);
  }

  writeOff(index: number): boolean {
    const { id } = this.#world.sites[index]!;
    if (!this.#world.oracle.hasAnswered(id)) this.#world.oracle.lostTime.writtenOff(id);
    return this.#act(0, "write off", (ctx) => writeOffSite(ctx, id));
  }

  change(edge: number, what: "pause" | "resume" | "cancel", index: number, asAdmin: boolean): boolean {
    const verb = { pause: pauseCampaign, resume: resumeCampaign, cancel: cancelCampaign }[what];
    return this.#actOn(
      edge,
      what,
      index,
      (ctx, { id, client }) =>
        verb(ctx, asAdmin ? ADMIN : { id: client, role: "client" }, id, this.#tripOf(id)),
    );
  }

  /** The client takes a send back and writes other words: phones must never send the former ones. */
  takeBack(edge: number, index: number): boolean {
    return this.#actOn(edge, "take back", index, async (ctx, { id, client }) => {
      await takeBackSend(ctx, { id: client }, id);
      const args = [this.#nextText("again"), id];
      this.sql("edit", {
        sql: "UPDATE campaigns SET message = ? WHERE id = ? AND status = 'ready'",
        args,
      });
    });
  }

  /** Returns words that no other campaign has; every other time they name each recipient. */
  #nextText(what: string): string {
    const text = `${what} ${++this.#texts}`;
    return this.#texts % 2 === 0 ? text : personalText(text);
  }

  /** Returns the trip of a breaker's pause, which a resume has to name. */
  #tripOf(campaign: number): number | null {
    const row = this.#ground.raw.prepare("SELECT trip FROM campaigns WHERE id = ?").get(campaign);
    return row === undefined || row.trip === null ? null : Number(row.trip);
  }

  clearQueues(edge: number): boolean {
    return this.#act(edge, "clear", (ctx) => clearQueues(ctx, ADMIN));
  }

  resolve(edge: number, index: number, as: ResolveRequest["as"]): boolean {
    return this.#actOn(
      edge,
      `resolve ${as}`,
      index,
      (ctx, { id, client }) => resolveDeliveries(ctx, { id: client }, id, { ids: "all", as }),
    );
  }

  suppress(edge: number, contact: number, scope: number): boolean {
    const client = [0, ...this.#ground.clientIds][scope]!;
    const phone = `+${FIRST_PHONE + contact}`;
    return this.#act(edge, "suppress", (ctx) => suppressPhone(ctx, { phone, client, source: "model" }));
  }

  /** Erases a person; `block` also blocks all later messages. */
  erase(edge: number, contact: number, block: boolean): boolean {
    this.haveErased = true;
    const phone = `+${FIRST_PHONE + contact}`;
    this.#world.oracle.lostTime.erased(FIRST_PHONE + contact);
    return this.#act(edge, "erase", (ctx) => startErasure(ctx, ADMIN, { phone, reason: "", block }));
  }

  /** Runs the ticks that erase, and that repeat erasures from a lost time. */
  eraseOn(edge: number): boolean {
    // As on a remote database: histories do not test the file's free pages.
    const remote = (ctx: EdgeContext) => Object.assign(Object.create(ctx.db), { protocol: "http" });
    return this.#act(edge, "erase on", async (ctx) => {
      await repeatErasures(ctx);
      await eraseNumbers({ ...ctx, db: remote(ctx) });
    });
  }

  /** The owner copies an earlier campaign with its whole list. */
  copy(edge: number, index: number): boolean {
    if (this.#world.oracle.rows.size >= MAX_CAMPAIGNS * CONTACTS) return false;
    if (!this.#world.oracle.isTrusted) return false;
    return this.#actOn(edge, "copy", index, async (ctx, { id, client }) => {
      const owner = { id: client, username: "", role: "client" as const, sessionHash: "" };
      const campaign = await readCampaign(ctx, owner, id);
      const copy = await duplicateCampaign(ctx, campaign, "all");
      // Phones recognise a campaign only by its text.
      const args = [this.#nextText("copy"), copy];
      this.sql(
        "name copy",
        { sql: "UPDATE campaigns SET message = ? WHERE id = ?", args },
        { sql: "DELETE FROM variants WHERE campaign = ?", args: [copy] },
      );
      this.sql("grant", {
        sql: "INSERT INTO quota_ledger (client, at, kind, delta) VALUES (?, ?, 'grant', ?)",
        args: [client, this.#world.time.now, CONTACTS],
      });
    });
  }

  /** The owner writes again to recipients without a message, and to unknown recipients when they confirm that. */
  writeAgain(edge: number, index: number, confirmsUnknown: boolean): boolean {
    if (this.#world.oracle.rows.size >= MAX_CAMPAIGNS * CONTACTS) return false;
    if (!this.#world.oracle.isTrusted) return false;
    return this.#actOn(edge, "write again", index, async (ctx, { id, client }) => {
      const owner = { id: client, username: "", role: "client" as const, sessionHash: "" };
      const campaign = await readCampaign(ctx, owner, id);
      const { groups } = await countGroups(ctx, campaign);
      const chosen = groups.filter(({ state }) => state !== "unknown" || confirmsUnknown);
      if (chosen.length === 0) return;
      const draft = await writeAgain(ctx, owner, campaign, { groups: chosen, confirmsUnknown });
      // Phones recognise a campaign only by its text.
      const args = [this.#nextText("once more"), draft];
      this.sql(
        "name draft",
        { sql: "UPDATE campaigns SET message = ? WHERE id = ?", args },
        { sql: "DELETE FROM variants WHERE campaign = ?", args: [draft] },
      );
      this.grant(this.#ground.clientIds.indexOf(client), CONTACTS);
    });
  }

  /** The owner of an unsent campaign tries several texts on a wave of two. */
  tryTexts(edge: number, index: number): boolean {
    const found = this.#world.oracle.campaign(index, false);
    if (found === undefined) return false;
    return this.#act(edge, "try texts", async (ctx) => {
      const owner = { id: found.client, username: "", role: "client" as const, sessionHash: "" };
      const campaign = await readCampaign(ctx, owner, found.id);
      await writeTexts(ctx, campaign, [this.#nextText("second"), this.#nextText("third")]);
      await editCampaign(ctx, campaign, { pilot: { count: 2, waitMinutes: 1 } });
    });
  }

  /** The owner chooses the text for the rest, at any time. */
  chooseText(edge: number, index: number, no: number): boolean {
    return this.#actOn(
      edge,
      "choose text",
      index,
      (ctx, { id, client }) => chooseText(ctx, { id: client }, id, no),
    );
  }

  revoke(edge: number, index: number): boolean {
    const { id } = this.#world.sites[index]!;
    return this.#world.oracle.hasAnswered(id) && this.#act(edge, "revoke", (ctx) => revokeSite(ctx, id));
  }

  grant(client: number, units: number): boolean {
    return this.sql("grant", {
      sql: "INSERT INTO quota_ledger (client, at, kind, delta) VALUES (?, ?, 'grant', ?)",
      args: [this.#ground.clientIds[client]!, this.#world.time.now, units],
    });
  }

  /** An administrator removes a client's remaining quota: a `sent` reported later finds an empty balance. */
  takeQuota(client: number): boolean {
    return this.sql("take quota", {
      sql: `INSERT INTO quota_ledger (client, at, kind, delta)
        SELECT id, ?, 'grant', -message_quota FROM users WHERE id = ? AND message_quota > 0`,
      args: [this.#world.time.now, this.#ground.clientIds[client]!],
    });
  }

  /** Saves new settings; the sites receive them through the outbox. */
  set(maxMessagesPerDay: number, rateLimit: number): boolean {
    const settings = JSON.stringify({ maxMessagesPerDay, rateLimit });
    return this.sql(
      "settings",
      ...Object.entries({ maxMessagesPerDay, rateLimit }).map(([key, value]) => ({
        sql: "UPDATE settings SET value = ? WHERE key = ?",
        args: [JSON.stringify(value), key],
      })),
      {
        sql: `INSERT INTO events (at, type, site, data) SELECT ?, 'settings', id, ? FROM sites`,
        args: [this.#world.time.now, settings],
      },
    );
  }

  addCampaign(client: number): boolean {
    if (this.#world.oracle.rows.size >= MAX_CAMPAIGNS * CONTACTS) return false;
    // Sites report lost campaigns by number: before `restored` a new campaign could get the number of a lost one.
    if (!this.#world.oracle.isTrusted) return false;
    const id = this.#ground.clientIds[client]!;
    const batch: Client["batch"] = (...args) => this.#world.edges[0]!.ctx.db.batch(...args);
    const text = this.#nextText("new");
    this.launch("create", () => addCampaign({ batch }, { client: id, text, now: this.#world.time.now }));
    return this.grant(client, CONTACTS);
  }

  /** An administrator starts a stopped site. */
  startSite(index: number): boolean {
    return this.#act(0, "start site", (ctx) => startSite(ctx, this.#world.sites[index]!.id));
  }

  /** An administrator stops or starts a phone. */
  order(edge: number, device: string, kind: "stop" | "start"): boolean {
    const { id } = this.#ground.raw.prepare("SELECT id FROM devices WHERE key = ?").get(device)!;
    return this.#act(edge, kind, (ctx) => sendCommand(ctx, { id: 0, username: "" }, Number(id), kind));
  }

  /** Starts every phone that the database has stopped, as a person would who sees it on the screen. */
  startStopped(): void {
    const stopped = this.#ground.raw.prepare("SELECT key FROM devices WHERE stopped").all();
    for (const { key } of stopped) this.order(0, String(key), "start");
  }

  /** Runs a verb on an edge; it may be impossible now. Returns whether it finished immediately. */
  #act(edge: number, name: string, verb: (ctx: EdgeContext) => Promise<unknown>): boolean {
    this.launch(name, () => verb(this.#world.edges[edge]!.ctx));
    return true;
  }

  /** The same with one of the campaigns for which it can make a difference. */
  #actOn(
    edge: number,
    name: string,
    index: number,
    verb: (ctx: EdgeContext, campaign: { id: number; client: number }) => Promise<unknown>,
  ): boolean {
    const campaign = this.#world.oracle.campaign(index, name !== "send");
    return campaign !== undefined && this.#act(edge, name, (ctx) => verb(ctx, campaign));
  }

  /** Starts an act without waiting for its end. */
  launch(name: string, act: () => Promise<unknown>): void {
    this.#world.oracle.cause = name;
    act().then(() => this.#world.oracle.count(`done ${name}`), (error) => {
      if (error instanceof HttpError) this.#world.oracle.count(`refused ${name}`);
      else if (!(error instanceof EdgeGoneError)) this.#failed(error);
    });
  }

  /** Writes to the database, bypassing the edges. */
  sql(name: string, ...statements: Parameters<Client["batch"]>[0]): boolean {
    this.launch(name, async () => {
      this.#writes += 1;
      await this.#host.writing.acquire();
      try {
        await this.#ground.clients[0]!.batch(statements, "write");
        this.#host.committed();
      } finally {
        this.#writes -= 1;
        this.#host.writing.release();
      }
    });
    return true;
  }
}
