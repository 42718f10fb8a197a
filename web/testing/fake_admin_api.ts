/** The administrators' part of the fake edge: shapes and refusals of shared/admin_api.ts, in memory. */
import {
  type DecideApprovalRequest,
  decideApprovalRequestSchema,
  type WaitingApproval,
} from "shared/approval_api.ts";
import {
  decideRepliesRequestSchema,
  type OptOut,
  type Reply,
  undoOptOutRequestSchema,
} from "shared/replies_api.ts";
import type { ActivityItem } from "shared/activity.ts";
import {
  type AdminAlert,
  type AdminCampaign,
  type AdminHealth,
  type AlertCause,
  type AlertMessage,
  askRehearsalRequestSchema,
  type Capacity,
  chooseOutsideRequestSchema,
  createSiteRequestSchema,
  type Dashboard,
  type DeviceCommand,
  type DeviceDetail,
  editAccountRequestSchema,
  type FileItem,
  type OutsideAlerts,
  type Risk,
  type SavedSettings,
  type Site,
  testAlertRequestSchema,
  waiveHoursRequestSchema,
} from "shared/admin_api.ts";
import { type Suppression } from "shared/suppressions_api.ts";
import {
  AUDIT_GROUPS,
  type AuditChain,
  type AuditGroup,
  type AuditPage,
  type AuditRow,
} from "shared/audit.ts";
import type { ErrorCode } from "shared/error_code.ts";
import { installLine } from "shared/install_line.ts";
import {
  type AdbStatus,
  type Campaign,
  correctQuotaRequestSchema,
  createUserRequestSchema,
  proofSchema,
  setQuotaRequestSchema,
  updateUserRequestSchema,
  type User,
} from "shared/http_api.ts";
import {
  eraseRequestSchema,
  type Erasure,
  erasureEffectRequestSchema,
  NUMBERS_SHOWN_MS,
  showNumbersRequestSchema,
} from "shared/privacy.ts";
import { beginLooksRequestSchema, LOOK_MS } from "shared/looks_api.ts";
import { DEFAULT_SETTINGS, protectsLess, settingsSchema } from "shared/settings.ts";
import type { z } from "zod";
import { adbStatusOf, detailOf, riskOf, searchIn } from "./fake_fleet_answers.ts";
import { makeCapacity, makeDashboard, makeErasure, makeFile, makeOutside, makeSite } from "./make_fleet.ts";
import { trendsQuerySchema } from "shared/trends.ts";
import { makeTrends, type TrendSample } from "./make_trends.ts";
import type { FakeState, FakeUser } from "./fake_state.ts";

type Refuse = (code: ErrorCode, error: string) => Response;

const PAGE = 50;
/** Calls that always need a proof. */
const PROVED = new Set([
  "admin POST sites",
  "admin POST sites/{id}/token",
  "admin POST sites/{id}/write-off",
  "admin POST campaigns/{id}/numbers",
  "admin POST looks",
  "suppressions DELETE ",
]);

const STILL_REFUSALS: Partial<Record<ErrorCode, string>> = {
  phone_away: "המכשיר לא זמין כרגע, ולכן אין תמונה של המסך.",
  site_elsewhere: "האתר מחובר כרגע דרך שרת אחר. מנסים שוב.",
  agent_too_old: "התוכנה שבאתר ישנה מדי ולא יודעת להראות מסך. נא לעדכן אותה.",
  no_still: "המכשיר באמצע שליחה, והיא קודמת. מנסים שוב.",
};

export class FakeAdminApi {
  devices: AdbStatus["devices"] = [];
  /** Further facts on every account's own page. */
  accountFacts: Partial<DeviceDetail["accounts"][number]> = {};
  /** What every phone says beside its state. */
  stateDetail: string | null = null;
  sites: Site[] = [];
  files: FileItem[] = [];
  activity: ActivityItem[] = [];
  suppressions: Suppression[] = [];
  replies: Reply[] = [];
  optOuts: OptOut[] = [];
  readonly suppressedFiles: string[] = [];
  approvals: WaitingApproval[] = [];
  /** What was decided, in order. */
  readonly decisions: (DecideApprovalRequest & { id: number })[] = [];
  alerts: (Omit<AdminAlert, "cause"> & { cause?: string })[] = [];
  /** Absent = like a release before causes. */
  causes: AlertCause[] | undefined;
  outside: OutsideAlerts = makeOutside();
  /** Result of the next test of a channel. */
  testEnd: Pick<AlertMessage, "state" | "reason" | "status"> = { state: "sent", reason: null, status: null };
  /** Alert kinds with a cut list. */
  alertsCut: AdminAlert["code"][] = [];
  /** Responds like the previous release, without `cut`, `hours` and `scan`. */
  isOlder = false;
  /** Whether uploads are scanned. */
  scan: AdminHealth["scan"] = "on";
  audit: AuditRow[] = [];
  chain: AuditChain = { checkedAt: null, rows: 0, fault: null, open: 0, openSince: null };
  /** Result of the next check. */
  chainAfterCheck: AuditChain = this.chain;
  erasures: Erasure[] = [];
  readonly erased: z.infer<typeof eraseRequestSchema>[] = [];
  /** Campaign → its exception from the hours. */
  readonly hoursWaived = new Map<number, { at: number; by: string; reason: string }>();
  /** Campaign → time until which its numbers are shown. */
  readonly numbersShown = new Map<number, number>();
  /** Device → what its screen shows: a PNG, or the refusal of a still. */
  readonly screens = new Map<number, Uint8Array<ArrayBuffer> | ErrorCode>();
  /** Look → its device, while it is open. */
  readonly looks = new Map<number, number>();
  /** Looks whose page said that it no longer looks. */
  readonly endedLooks: number[] = [];
  /** Stills that were asked for, by device, in order. */
  readonly stillsAsked: number[] = [];
  lookMs = LOOK_MS;
  /** Stated reasons, in order. */
  readonly reasons: string[] = [];
  /** Recorded searches of the audit log. */
  readonly auditAsked: string[] = [];
  dashboard: Dashboard = makeDashboard();
  capacity: Capacity = makeCapacity();
  erasureEffect = { campaigns: 3, waiting: 2 };
  trendsOf: TrendSample | undefined;
  settings: SavedSettings = { settings: DEFAULT_SETTINGS, savedAt: null, savedBy: null };
  commands: DeviceCommand[] = [];
  /** Result of a command, returned by the next poll of it. */
  commandEnd: Pick<DeviceCommand, "status" | "detail"> = { status: "done", detail: null };
  /** Result of the next queue clear: campaigns, and their messages. */
  cleared = { message: "", messageQueueCleared: 0, campaignQueueCleared: 0 };
  lastBan: Risk["lastBan"] = null;
  readonly requestIds: string[] = [];
  /** Bodies of the corrections of a quota, in order. */
  readonly corrections: unknown[] = [];
  #edge: FakeState;
  #refuse: Refuse;
  #lastId = 5000;

  constructor(edge: FakeState, refuse: Refuse) {
    this.#edge = edge;
    this.#refuse = refuse;
  }

  /** Returns the response to an administrator's call, or undefined for other calls. */
  async answer(request: Request, user: FakeUser): Promise<Response | undefined> {
    const { pathname, searchParams } = new URL(request.url);
    const [area, ...path] = pathname.replace("/api/", "").split("/");
    const act = `${request.method} ${path.map((part) => /^\d+$/.test(part) ? "{id}" : part).join("/")}`;
    const id = Number(path.find((part) => /^\d+$/.test(part)));
    if (area === "replies") return await this.#replies(request, searchParams);
    if (area === "suppressions") {
      const unproved = request.method === "DELETE" && user.role === "admin" &&
        await this.#unproved("suppressions DELETE ", id, request, user);
      return unproved || await this.#suppress(request, searchParams);
    }
    if (!["users", "devices", "admin"].includes(area) || /^GET \{id\}\/ledger/.test(act)) return undefined;
    if (user.role !== "admin") return this.#refuse("not_allowed", "אין הרשאה");
    if (area === "devices") return Response.json(adbStatusOf(this.devices));
    const unproved = await this.#unproved(`${area} ${act}`, id, request, user);
    if (unproved) return unproved;
    if (area === "users") return await this.#users(act, id, request);
    return await this.#admin(act, id, request, searchParams, user);
  }

  /** Returns the number of replies to a campaign that wait for a person. */
  waitingOf(campaign: number): number {
    return this.replies.filter(({ state, campaignId }) => state === "waiting" && campaignId === campaign)
      .length;
  }

  async #replies(request: Request, search: URLSearchParams): Promise<Response> {
    const waiting = this.replies.filter(({ state }) => state === "waiting");
    if (request.method === "GET") return pageOf(waiting, search);
    const { ids, as } = decideRepliesRequestSchema.parse(await request.json());
    const decided = waiting.filter(({ id }) => ids.includes(id));
    for (const reply of decided) {
      reply.state = as === "remove" ? "removed" : "kept";
      if (as === "remove") this.suppressions.unshift({ ...reply, source: "reply" });
    }
    return Response.json({ decided: decided.length });
  }

  async #suppress(request: Request, search: URLSearchParams): Promise<Response> {
    if (request.method === "GET") {
      const q = (search.get("q") ?? "").replace(/^0/, "972");
      return pageOf(this.suppressions.filter(({ phone }) => phone.startsWith(`+${q}`)), search);
    }
    if (request.url.endsWith("/file")) {
      const file = (await request.formData()).get("file") as File;
      this.suppressedFiles.push(file.name);
      return Response.json({ added: 2, duplicates: 1, invalid: 0, problems: [], skipped: 0, recalled: 0 });
    }
    const body = await request.json();
    if (request.method === "DELETE") {
      const left = this.suppressions.filter(({ id }) => !body.ids.includes(id));
      const removed = this.suppressions.length - left.length;
      this.suppressions = left;
      return Response.json({ removed });
    }
    const phones = String(body.numbers).split("\n").map((line) => line.replace(/\D/g, "")).filter(Boolean);
    for (const phone of phones) {
      this.suppressions.unshift({
        id: ++this.#lastId,
        phone: maskOf(phone),
        source: "manual",
        at: Date.now(),
      });
    }
    return Response.json({
      added: phones.length,
      duplicates: 0,
      invalid: 0,
      problems: [],
      skipped: 3,
      recalled: 0,
    });
  }

  /** Returns the refusal of a call that lacks a valid proof. */
  async #unproved(act: string, id: number, request: Request, user: FakeUser): Promise<Response | undefined> {
    const isJson = request.headers.get("content-type")?.startsWith("application/json");
    const text = isJson ? await request.clone().text() : "";
    const { proof, ...body } = text === "" ? {} as Record<string, unknown> : JSON.parse(text);
    const isProved = PROVED.has(act) || (act === "users POST " && body.role === "admin") ||
      (act === "users PATCH {id}" && this.#opensLogin(id, body)) ||
      (act === "admin PUT settings" && protectsLess(this.settings.settings, settingsSchema.parse(body)));
    if (!isProved) return undefined;
    if (proof === undefined) return this.#refuse("proof_needed", "נא להזין שוב את הסיסמה.");
    const { password, code } = proofSchema.parse(proof);
    if (password !== user.password) return this.#refuse("wrong_credentials", "הסיסמה הנוכחית שגויה.");
    if (!user.secondFactor) return undefined;
    if (code === undefined) return this.#refuse("second_factor_needed", "נא להזין קוד אימות.");
    return code === "123 456" ? undefined : this.#refuse("wrong_code", "קוד האימות שגוי.");
  }

  #opensLogin(id: number, { disabled, password, secondFactor }: Record<string, unknown>): boolean {
    if (password !== undefined || secondFactor === false || disabled === false) return true;
    return disabled === true && this.#edge.users.find((user) => user.id === id)?.role === "admin";
  }

  async #users(act: string, id: number, request: Request): Promise<Response> {
    const { users } = this.#edge;
    if (act === "GET ") return Response.json(users.map(toUser));
    const body = await request.json();
    if (act === "POST ") {
      const parsed = createUserRequestSchema.safeParse(body);
      if (!parsed.success) return this.#refuse("invalid_input", "הסיסמה קצרה מדי: נא להזין לפחות 8 תווים.");
      if (users.some(({ username }) => username === parsed.data.username)) {
        return this.#refuse("username_taken", "שם המשתמש תפוס.");
      }
      const { proof: _, ...made } = parsed.data;
      const user = this.#edge.addUser(made);
      return Response.json(toUser(user), { status: 201 });
    }
    const user = users.find((found) => found.id === id);
    if (!user) return this.#refuse("not_found", "לא נמצא");
    if (act === "PATCH {id}/quota") {
      const { messageQuota, expectedQuota, requestId } = setQuotaRequestSchema.parse(body);
      if (requestId) this.requestIds.push(requestId);
      if (expectedQuota !== undefined && expectedQuota !== user.messageQuota) {
        return this.#refuse("quota_changed", "היתרה השתנתה בינתיים.");
      }
      user.messageQuota = messageQuota;
    } else if (act === "POST {id}/quota/corrections") {
      const { delta } = correctQuotaRequestSchema.parse(body);
      if (user.messageQuota + delta < 0) return this.#refuse("quota_below_zero", "התיקון גדול מהיתרה.");
      user.messageQuota += delta;
      this.corrections.push(body);
    } else {
      const { proof: _, ...change } = updateUserRequestSchema.parse(body);
      Object.assign(user, change);
    }
    return Response.json(toUser(user));
  }

  async #admin(
    act: string,
    id: number,
    request: Request,
    search: URLSearchParams,
    user: FakeUser,
  ): Promise<Response> {
    switch (act) {
      case "GET dashboard":
        return Response.json(this.dashboard);
      case "GET capacity":
        return Response.json(this.capacity);
      case "GET trends":
        return Response.json(
          makeTrends(
            trendsQuerySchema.parse(Object.fromEntries(search)),
            this.trendsOf ?? { sent: () => null },
          ),
        );
      case "GET alerts":
        return Response.json({
          items: this.alerts.map((alert) => ({ ...alert, cause: alert.cause ?? alert.code })),
          cut: this.isOlder ? undefined : this.alertsCut,
          causes: this.causes,
        });
      case "GET alerts/items":
        return pageOf(this.alerts.filter(({ cause }) => cause === search.get("cause")), search);
      case "PUT alerts/quiet":
      case "DELETE alerts/quiet": {
        const { cause, hours } = await request.json();
        const found = this.causes?.find((one) => one.cause === cause);
        if (!found) return this.#refuse("not_found", "לא נמצא");
        const until = hours === null ? null : Date.now() + hours * 3_600_000;
        const kind = hours === null ? "acknowledged" : "snoozed";
        found.quiet = act.startsWith("PUT") ? { kind, at: Date.now(), by: user.username, until } : null;
        return new Response(null, { status: 204 });
      }
      case "GET alerts/outside":
        return Response.json(this.outside);
      case "PUT alerts/outside": {
        const { kinds } = chooseOutsideRequestSchema.parse(await request.json());
        for (const { code, ...choice } of kinds) {
          Object.assign(this.outside.kinds.find((kind) => kind.code === code)!, choice);
        }
        return Response.json(this.outside);
      }
      case "POST alerts/test": {
        const { channel } = testAlertRequestSchema.parse(await request.json());
        const message = { channel, at: Date.now(), attempts: 1, nextAt: null, ...this.testEnd };
        this.outside.channels.find((one) => one.channel === channel)!.lastTest = message;
        return Response.json(message);
      }
      case "GET health":
        return Response.json({
          status: "ok",
          version: "1.0.0",
          serverTime: 0,
          databaseMs: 1,
          sites: { total: this.sites.length, connected: this.sites.length },
          scan: this.isOlder ? undefined : this.scan,
        });
      case "GET activity":
        return pageOf(
          this.activity.filter(({ type, message }) =>
            (!search.get("kind") || type === search.get("kind")) && message.includes(search.get("q") ?? "")
          ),
          search,
        );
      case "GET audit":
        return this.#audit(search);
      case "GET erasures":
        return Response.json({ items: this.erasures, nextCursor: null });
      case "POST erasures":
        return this.#erase(eraseRequestSchema.parse(await request.json()), user);
      case "POST erasures/effect": {
        const { phone } = erasureEffectRequestSchema.parse(await request.json());
        return Response.json({ phone: `+972${phone.replace(/\D/g, "").slice(1)}`, ...this.erasureEffect });
      }
      case "POST audit/check":
        return Response.json(this.chain = this.chainAfterCheck);
      case "GET campaigns":
        return pageOf(this.#campaigns(search), search);
      case "GET campaigns/{id}": {
        const found = this.#edge.campaigns.find((campaign) => campaign.id === id);
        if (!found) return this.#refuse("not_found", "לא נמצא");
        return Response.json({
          ...this.#withClient(found),
          numbersShownUntil: this.numbersShown.get(id) ?? null,
          hours: this.isOlder ? undefined : {
            kept: this.settings.settings.serviceHoursEnforced,
            waived: this.hoursWaived.get(id) ?? null,
          },
        });
      }
      case "POST campaigns/{id}/numbers": {
        this.reasons.push(showNumbersRequestSchema.parse(await request.json()).reason);
        const until = Date.now() + NUMBERS_SHOWN_MS;
        this.numbersShown.set(id, until);
        return Response.json({ until });
      }
      case "DELETE campaigns/{id}/numbers":
        this.numbersShown.delete(id);
        return new Response(null, { status: 204 });
      case "POST looks": {
        const { devices, reason } = beginLooksRequestSchema.parse(await request.json());
        this.reasons.push(reason);
        const looks = devices.map((device) => {
          this.looks.set(++this.#lastId, device);
          return { id: this.#lastId, device };
        });
        return Response.json({ looks, until: Date.now() + this.lookMs }, { status: 201 });
      }
      case "POST looks/{id}/still":
        return this.#still(id);
      case "DELETE looks/{id}":
        this.endedLooks.push(id);
        this.looks.delete(id);
        return new Response(null, { status: 204 });
      case "GET approvals":
        return Response.json({ count: this.approvals.length, items: this.approvals });
      case "POST campaigns/{id}/approval": {
        const decision = decideApprovalRequestSchema.parse(await request.json());
        const item = this.approvals.find(({ campaign }) => campaign.id === id);
        if (item === undefined) return this.#refuse("campaign_state", "הקמפיין לא מחכה לאישור.");
        if (item.revision !== decision.revision) {
          return this.#refuse(
            "words_changed",
            "הקמפיין השתנה מאז שהעמוד נטען. נא לקרוא אותו שוב, ואז להחליט.",
          );
        }
        this.decisions.push({ id, ...decision });
        this.approvals = this.approvals.filter((one) => one !== item);
        return new Response(null, { status: 204 });
      }
      case "POST campaigns/{id}/hours-waiver": {
        const { reason } = waiveHoursRequestSchema.parse(await request.json());
        this.hoursWaived.set(id, { at: Date.now(), by: user.username, reason });
        return new Response(null, { status: 204 });
      }
      case "DELETE campaigns/{id}/hours-waiver":
        this.hoursWaived.delete(id);
        return new Response(null, { status: 204 });
      case "GET opt-outs": {
        const number = search.get("q") ?? "";
        if (number.replace(/\D/g, "").length < 9) {
          return this.#refuse("invalid_input", "מספר הטלפון לא תקין.");
        }
        return Response.json({ items: this.optOuts.filter(({ phone }) => phone === maskOf(number)) });
      }
      case "DELETE opt-outs/{id}":
        this.reasons.push(undoOptOutRequestSchema.parse(await request.json()).reason);
        if (!this.optOuts.some((optOut) => optOut.id === id)) return this.#refuse("not_found", "לא נמצא");
        this.optOuts = this.optOuts.filter((optOut) => optOut.id !== id);
        return new Response(null, { status: 204 });
      case "GET risk":
        return Response.json(riskOf(this.devices, Number(search.get("limit")), this.lastBan));
      case "GET search":
        return Response.json({ items: searchIn(this.devices, this.#edge, search.get("q") ?? "") });
      case "GET settings":
        return Response.json(this.settings);
      case "PUT settings": {
        const parsed = settingsSchema.safeParse(await request.json());
        if (!parsed.success) return this.#refuse("invalid_input", "ערך לא תקין");
        this.settings = { settings: parsed.data, savedAt: Date.now(), savedBy: user.username };
        return Response.json(this.settings);
      }
      case "POST queues/clear":
        return Response.json(this.cleared);
      case "GET users/{id}":
        return Response.json({
          userId: id,
          runningCampaigns: 2,
          waitingMessages: 120,
          readyCampaigns: 1,
          sessions: 1,
          lastSeenAt: null,
        });
      case "GET commands/{id}": {
        const command = this.commands.find((found) => found.id === id)!;
        return Response.json(Object.assign(command, this.commandEnd));
      }
      case "GET devices/{id}": {
        const found = this.devices.find((device) => device.id === id);
        return found
          ? Response.json(detailOf(found, this.commands, this.accountFacts, this.stateDetail))
          : this.#refuse("not_found", "לא נמצא");
      }
      case "PATCH accounts/{id}": {
        const change = editAccountRequestSchema.parse(await request.json());
        const account = this.devices.flatMap(({ accounts }) => accounts).find((found) => found.id === id);
        Object.assign(account!, change);
        return new Response(null, { status: 204 });
      }
    }
    if (act.startsWith("POST devices/{id}/")) {
      return this.#command(id, act.split("/").at(-1) as DeviceCommand["kind"], user);
    }
    return act.includes("sites")
      ? await this.#sitesAct(act, id, request)
      : await this.#filesAct(act, id, request, search, user);
  }

  async #sitesAct(act: string, id: number, request: Request): Promise<Response> {
    if (act === "GET sites") return Response.json({ items: this.sites });
    if (act === "POST sites") {
      const { name } = createSiteRequestSchema.parse(await request.json());
      const site = makeSite({
        id: ++this.#lastId,
        name,
        status: "not_enrolled",
        agentVersion: null,
        lastSeenAt: null,
      });
      this.sites.push(site);
      return Response.json(tokenOf(site.id), { status: 201 });
    }
    const site = this.sites.find((found) => found.id === id)!;
    if (act.endsWith("token")) return Response.json(tokenOf(id), { status: 201 });
    if (act.endsWith("revoke")) site.status = "revoked";
    if (act.endsWith("start")) {
      Object.assign(site, { stopped: false, stopReason: null, unconfirmedRest: false });
    }
    if (act.endsWith("write-off")) site.owesOutcomes = false;
    if (act.endsWith("rehearsals")) {
      site.asksRehearsal = askRehearsalRequestSchema.parse(await request.json()).asks;
    }
    return new Response(null, { status: 204 });
  }

  async #filesAct(
    act: string,
    id: number,
    request: Request,
    search: URLSearchParams,
    user: FakeUser,
  ): Promise<Response> {
    if (act === "GET files") {
      return pageOf(
        this.files.filter(({ status, name }) =>
          (!search.get("status") || status === search.get("status")) && name.includes(search.get("q") ?? "")
        ),
        search,
      );
    }
    if (act === "POST files") {
      const form = await request.formData();
      const target = form.get("target");
      if (form.has("consent")) this.#edge.consents.push(JSON.parse(String(form.get("consent"))));
      const campaign = this.#edge.campaigns.find((found) => String(found.id) === target);
      const file = makeFile({
        id: ++this.#lastId,
        name: (form.get("file") as File).name,
        status: "queued",
        progress: 0,
        timestamp: Date.now(),
        startedAt: null,
        finishedAt: null,
        by: user.username,
        target: campaign
          ? { kind: "campaign", campaignId: campaign.id, campaign: campaign.name, client: "dana" }
          : { kind: "suppressions" },
      });
      this.files.unshift(file);
      return Response.json(file, { status: 202 });
    }
    if (act === "POST files/{id}/retry") {
      const file = this.files.find((found) => found.id === id)!;
      return Response.json(Object.assign(file, { status: "queued", error: null, canRetry: false }));
    }
    return this.#refuse("not_found", "לא נמצא");
  }

  #still(look: number): Response {
    const device = this.looks.get(look);
    if (device === undefined) return this.#refuse("look_over", "הזמן לראות את המסך נגמר.");
    this.stillsAsked.push(device);
    const shown = this.screens.get(device) ?? "phone_away";
    if (typeof shown === "string") return this.#refuse(shown, STILL_REFUSALS[shown] ?? shown);
    return new Response(shown, { headers: { "content-type": "image/png" } });
  }

  #erase(erased: z.infer<typeof eraseRequestSchema>, { username }: FakeUser): Response {
    this.erased.push(erased);
    const erasure = makeErasure({
      id: ++this.#lastId,
      at: Date.now(),
      by: username,
      reason: erased.reason,
      blocked: erased.block,
      sites: [{ id: 1, name: "חיפה", answeredAt: null, removed: 0, revoked: false }],
      doneAt: null,
    });
    this.erasures.unshift(erasure);
    return Response.json(erasure, { status: 201 });
  }

  #audit(search: URLSearchParams): Response {
    this.auditAsked.push(search.toString());
    const kinds: readonly string[] | undefined = AUDIT_GROUPS[search.get("group") as AuditGroup];
    const [actor, cursor] = [search.get("actor"), Number(search.get("cursor") ?? Infinity)];
    const found = this.audit.filter(({ id, at, kind, actorId }) =>
      (kinds?.includes(kind) ?? true) && (actor === null || String(actorId) === actor) &&
      at >= Number(search.get("from") ?? 0) && at < Number(search.get("to") ?? Infinity) && id < cursor
    );
    const items = found.slice(0, PAGE);
    const nextCursor = found.length > PAGE ? items.at(-1)!.id : null;
    return Response.json({ items, nextCursor, chain: this.chain } satisfies AuditPage);
  }

  #command(deviceId: number, kind: DeviceCommand["kind"], user: FakeUser): Response {
    const command: DeviceCommand = {
      id: ++this.#lastId,
      deviceId,
      kind,
      status: "waiting",
      detail: null,
      by: user.username,
      createdAt: Date.now(),
      finishedAt: null,
    };
    this.commands.unshift(command);
    const device = this.devices.find((found) => found.id === deviceId);
    if (device && kind === "stop") device.stopped = true;
    if (device && kind === "start") device.stopped = false;
    return Response.json(command, { status: 202 });
  }

  #campaigns(search: URLSearchParams): AdminCampaign[] {
    const status = search.get("status") ?? "";
    const group: Record<string, string[]> = {
      running: ["processing", "active", "paused"],
      editable: ["draft", "ready"],
    };
    return this.#edge.campaigns.filter((campaign) =>
      (status === "" || (group[status] ?? [status]).includes(campaign.status)) &&
      campaign.name.includes(search.get("q") ?? "")
    ).map((campaign) => this.#withClient(campaign));
  }

  #withClient(campaign: Campaign): AdminCampaign {
    const client = this.#edge.users.find(({ role }) => role === "client");
    return { ...campaign, client: { id: client?.id ?? 0, username: client?.username ?? "dana" } };
  }
}

/** Returns "+97254•••0968" for "054-371-0968". */
function maskOf(number: string): string {
  const digits = number.replace(/\D/g, "");
  return `+972${digits.slice(1, 3)}•••${digits.slice(-4)}`;
}

function toUser({ password: _, ...user }: FakeUser): User {
  return user;
}

function tokenOf(siteId: number) {
  return {
    siteId,
    joinToken: "kT7w2mQ9xL4bV1rN8sY5cZ3pF6hJ0dGa",
    expiresAt: Date.now() + 15 * 60_000,
    command: installLine("https://shigur.example", "kT7w2mQ9xL4bV1rN8sY5cZ3pF6hJ0dGa"),
  };
}

function pageOf(items: readonly unknown[], search: URLSearchParams): Response {
  const from = Number(search.get("cursor") ?? 0);
  const size = Number(search.get("limit") ?? PAGE);
  const next = from + size < items.length ? from + size : null;
  return Response.json({ items: items.slice(from, from + size), nextCursor: next });
}
