/** Acts of people at any edge and at any time, and the edges' own duties; each is a verb of the edge. */
import type { Client } from "@libsql/client/web";
import { revokeSite } from "../../edge/sites/revoke_site.ts";
import { startSite } from "../../edge/sites/start_site.ts";
import { writeOffSite } from "../../edge/sites/write_off_site.ts";
import type { EdgeContext } from "../../edge/context.ts";
import { countOf } from "../../edge/text/hebrew_count.ts";
import { readCampaign } from "../../edge/campaigns/read.ts";
import { duplicateCampaign } from "../../edge/contacts/duplicate.ts";
import { sendChecked } from "../../edge/campaigns/send_checked.ts";
import { askApproval } from "../../edge/approvals/ask_approval.ts";
import { decideApproval } from "../../edge/approvals/decide_approval.ts";
import { continueSeries, endSeries, stopSeries } from "../../edge/series/change_series.ts";
import { createSeries } from "../../edge/series/create_series.ts";
import { makeRuns } from "../../edge/series/make_runs.ts";
import { type Choice, choiceSchema } from "shared/lists_api.ts";
import { israelDay } from "shared/israel_time.ts";
import { sendCommand } from "../../edge/devices/send_command.ts";
import { HttpError } from "../../edge/http/http_error.ts";
import { eraseNumbers } from "../../edge/privacy/erase_numbers.ts";
import { repeatErasures } from "../../edge/privacy/repeat_erasures.ts";
import { startErasure } from "../../edge/privacy/start_erasure.ts";
import { cancelCampaign } from "../../edge/queue/cancel.ts";
import { callOffPlan } from "../../edge/queue/call_off.ts";
import { clearQueues } from "../../edge/queue/clear_queues.ts";
import { movePlan } from "../../edge/queue/move_plan.ts";
import { pauseCampaign } from "../../edge/queue/pause.ts";
import { resolveDeliveries, type ResolveRequest } from "../../edge/queue/resolve.ts";
import { resumeCampaign } from "../../edge/queue/resume.ts";
import { takeBackSend } from "../../edge/queue/take_back.ts";
import { suppressPhone } from "../../edge/testing/suppress_phone.ts";
import { runDueTicks } from "../../edge/queue/ticks.ts";
import { updateUser } from "../../edge/users/update_user.ts";
import { EdgeGoneError, type EdgeHost } from "./edge.ts";
import { addCampaign, CONTACTS, FIRST_PHONE, type Ground, personalText } from "./ground.ts";
import type { AskedToSend, Wanted } from "./warning.ts";
import type { World } from "./world.ts";

/** Most campaigns in a world. */
export const MAX_CAMPAIGNS = 8;
/** Nobody changes a password here. */
const NO_PASSWORDS: Parameters<typeof updateUser>[1] = {
  hash: () => Promise.reject(new Error("no password changes in the model")),
  verify: () => Promise.resolve(false),
  close: () => {},
};
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

  /** The client plans a ready campaign for a time so many ms ahead. */
  plan(edge: number, index: number, aheadMs: number): boolean {
    return this.#actOn(
      edge,
      "plan",
      index,
      (ctx, { id, client }) =>
        sendChecked(ctx, { id: client }, id, { reached: "send" }, this.#world.time.now + aheadMs),
      true,
    );
  }

  movePlan(edge: number, index: number, aheadMs: number): boolean {
    const plan = this.#planned(index);
    if (plan === undefined) return false;
    const at = this.#world.time.now + aheadMs;
    return this.#act(edge, "move", (ctx) => movePlan(ctx, { id: plan.client }, plan.id, at));
  }

  /** The client calls a plan off and writes other words: phones must never send the former ones. */
  callOff(edge: number, index: number): boolean {
    const plan = this.#planned(index);
    return plan !== undefined && this.#act(edge, "call off", async (ctx) => {
      await callOffPlan(ctx, { id: plan.client }, plan.id);
      this.sql("edit", {
        sql: "UPDATE campaigns SET message = ? WHERE id = ? AND status = 'ready'",
        args: [this.#nextText("later"), plan.id],
      });
    });
  }

  /** The client repeats a campaign's words every day from tomorrow on, or from the day after it, at an hour. */
  repeat(edge: number, index: number, hour: number): boolean {
    return this.#actOn(edge, "repeat", index, async (ctx, { id, client }) => {
      const owner = { id: client, username: "", role: "client" as const, sessionHash: "" };
      const row = await readCampaign(ctx, owner, id);
      const { rows: [list] } = await ctx.db.execute({
        sql: "SELECT id FROM lists WHERE client = ?",
        args: [client],
      });
      const choice: Choice = choiceSchema.parse({ lists: [Number(list!.id)] });
      const series = await createSeries(ctx, { id: client }, row, {
        choice,
        rule: { kind: "weekly", weekdays: [0, 1, 2, 3, 4, 5, 6] },
        minutes: hour * 60,
        firstDay: israelDay(ctx.now()),
        lastDay: null,
        leaveOutEmpty: true,
      });
      this.sql("name repeat", {
        sql: "UPDATE series SET message = ? WHERE id = ?",
        args: [`repeat ${this.#nextText("run")}`, series],
      });
      this.grant(this.#ground.clientIds.indexOf(client), CONTACTS);
    }, true);
  }

  /** The edges' duty makes due runs, at most as many as the world has room for. */
  makeRuns(edge: number): boolean {
    if (this.#world.oracle.rows.size + 2 * CONTACTS > MAX_CAMPAIGNS * CONTACTS) return false;
    if (!this.#world.oracle.isTrusted) return false;
    return this.#act(edge, "make runs", (ctx) => makeRuns(ctx));
  }

  /** Makes every due run to its end; no edge may be frozen. */
  async makeAllRuns(): Promise<void> {
    const { edges, oracle } = this.#world;
    for (let turn = 0; turn < 40 && oracle.rows.size + 2 * CONTACTS <= MAX_CAMPAIGNS * CONTACTS; turn++) {
      this.#world.oracle.cause = "make runs";
      if (await makeRuns(edges[0]!.ctx) === 0) return;
    }
  }

  /** A client stops or ends a repeat, or lets it go on. */
  changeRepeat(edge: number, index: number, what: "stop" | "continue" | "end"): boolean {
    const all = this.#ground.raw.prepare("SELECT id, client FROM series ORDER BY id").all();
    if (all.length === 0) return false;
    const { id, client } = all[index % all.length]!;
    const verb = { stop: stopSeries, continue: continueSeries, end: endSeries }[what];
    return this.#act(edge, `${what} repeat`, (ctx) => verb(ctx, { id: Number(client) }, Number(id)));
  }

  /** The client gives an unsent campaign a limit a day. */
  limit(index: number, most: number): boolean {
    const campaign = this.#world.oracle.campaign(index, false);
    return campaign !== undefined && this.sql("limit", {
      sql: "UPDATE campaigns SET day_limit = ? WHERE id = ? AND status IN ('draft', 'ready')",
      args: [most, campaign.id],
    });
  }

  /** An administrator sets from how many recipients a client's day needs an approval; 0 = never. */
  approveFrom(from: number): boolean {
    return this.sql("approval from", {
      sql: "INSERT OR REPLACE INTO settings (key, value, updated_at) VALUES ('approvalFrom', ?, 0)",
      args: [String(from)],
    });
  }

  /** An administrator looks at a campaign and decides about what is there. */
  decide(edge: number, index: number, decision: "approved" | "refused"): boolean {
    const all = [...this.#world.oracle.planned(), ...this.#unsent()];
    const found = all[index % Math.max(1, all.length)];
    const seen = found && this.#world.oracle.seen(found.id);
    if (found === undefined || seen === undefined) return false;
    const { revision, ...what } = seen;
    // Before the answer: an edge may die between the decision and its answer.
    if (decision === "approved") this.#world.oracle.approved.set(`${found.id} ${revision}`, what);
    return this.#act(
      edge,
      decision,
      (ctx) =>
        decideApproval(ctx, ADMIN, found.id, {
          revision,
          decision,
          reason: decision === "refused" ? "לא" : "",
        }),
    );
  }

  /** The client asks for the approval of an unsent campaign. */
  askApproval(edge: number, index: number): boolean {
    return this.#actOn(edge, "ask", index, (ctx, { id, client }) => {
      const owner = { id: client, username: "", role: "client" as const, sessionHash: "" };
      return askApproval(ctx, owner, id);
    }, true);
  }

  #unsent(): { id: number }[] {
    const found = this.#world.oracle.campaign(0, false);
    return found === undefined ? [] : [found];
  }

  /** Every planned campaign starts now, by its client's decision. */
  startPlans(): void {
    for (const { id, client } of this.#world.oracle.planned()) {
      const at = this.#world.time.now;
      this.#act(0, "start plan", (ctx) => movePlan(ctx, { id: client }, id, at));
    }
  }

  #planned(index: number): { id: number; client: number } | undefined {
    const plans = this.#world.oracle.planned();
    return plans[index % plans.length];
  }

  /** An administrator disables or enables a client. */
  disable(edge: number, client: number, disabled: boolean): boolean {
    const userId = this.#ground.clientIds[client]!;
    return this.#act(
      edge,
      disabled ? "disable" : "enable",
      (ctx) => updateUser(ctx, NO_PASSWORDS, { userId, actorId: 0, disabled }),
    );
  }

  enableAll(): void {
    for (const [index, id] of this.#ground.clientIds.entries()) {
      if (this.#world.oracle.disabled.has(id)) this.disable(0, index, false);
    }
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
      this.sql("name copy", { sql: "UPDATE campaigns SET message = ? WHERE id = ?", args });
      this.sql("grant", {
        sql: "INSERT INTO quota_ledger (client, at, kind, delta) VALUES (?, ?, 'grant', ?)",
        args: [client, this.#world.time.now, CONTACTS],
      });
    });
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
    isUnsent = name === "send",
  ): boolean {
    const campaign = this.#world.oracle.campaign(index, !isUnsent);
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
