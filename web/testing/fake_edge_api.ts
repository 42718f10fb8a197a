/**
 * A fake server for tests and previews: the HTTP interface and the live channel, in memory, as one fetch handler.
 * It has the real shapes and refusals, but not the rules of sending.
 */
import type { z } from "zod";
import { canBeWrittenAgain, type RecipientGroups, type writeAgainRequestSchema } from "shared/again_api.ts";
import type { CampaignTexts } from "shared/variants_api.ts";
import type { ErrorCode } from "shared/error_code.ts";
import { ERROR_STATUS } from "shared/error_code.ts";
import {
  type Campaign,
  type CampaignImport,
  changePasswordRequestSchema,
  createCampaignFieldsSchema,
  type Delivery,
  type DeliveryStep,
  type LedgerEntry,
  loginRequestSchema,
  resolveRequestSchema,
  type SecondFactor,
  type SendRequest,
  sendRequestSchema,
  type Session,
  type TestRequest,
  type UploadResult,
  type User,
} from "shared/http_api.ts";
import type { LiveEvent } from "shared/live_event.ts";
import type { Advertiser } from "shared/marketing.ts";
import { MAX_MESSAGE_CHARS } from "shared/campaign.ts";
import type { PersonalPreview, PersonalRow } from "shared/personal_api.ts";
import {
  composeText,
  fieldsOf,
  isPersonal,
  nearestField,
  parseTemplate,
  requiredFieldsOf,
} from "shared/personal_text.ts";
import type { RemovalPage } from "shared/removal_link.ts";
import { FakeAdminApi } from "./fake_admin_api.ts";
import { makeCampaign, makeDelivery } from "./make_campaign.ts";
import type { FakeUser } from "./fake_state.ts";

type LiveEventBody = LiveEvent extends infer Event ? Event extends LiveEvent ? Omit<Event, "id"> : never
  : never;

const CAMPAIGNS_LISTED = 200;

interface Refusal {
  error: string;
  code: ErrorCode;
  retryAfterS?: number;
}

const NO_TEXTS: CampaignTexts = {
  messages: [],
  sent: [],
  proposed: null,
  isClose: true,
  winner: null,
  canChoose: false,
};

export class FakeEdge {
  readonly users: FakeUser[] = [];
  readonly campaigns: Campaign[] = [];
  readonly texts = new Map<number, CampaignTexts>();
  readonly deliveries = new Map<number, Delivery[]>();
  readonly ledger: LedgerEntry[] = [];
  /** Hidden campaigns of tests, absent from all lists. */
  readonly tests: Campaign[] = [];
  /** History of deliveries, by delivery id. */
  readonly stories = new Map<number, DeliveryStep[]>();
  /** Second factor of every user; its only valid code is "123 456". */
  secondFactor: SecondFactor = { since: null, recoveryCodes: 0 };
  sessions: Session[] = [{ createdAt: 0, lastSeenAt: 0, userAgent: "", isThis: true }];
  /** The advertiser profile of every user. */
  advertiser: Advertiser | null = null;
  /** Origin of recipients' links. */
  linkOrigin: string | null = "https://shigur.example";
  /** The only link of a recipient. */
  removal: RemovalPage & { token: string } | null = null;
  /** Recorded declarations of uploads, in order. */
  readonly consents: unknown[] = [];
  /** The values of recipients, by delivery id. */
  readonly values = new Map<number, Record<string, string>>();
  /** Recorded bodies of sends and of tests, in order. */
  readonly sends: SendRequest[] = [];
  readonly testRequests: TestRequest[] = [];
  /** What was added, by campaign, newest first. */
  readonly imports = new Map<number, CampaignImport[]>();
  /** Calls for administrators only. */
  readonly admin = new FakeAdminApi(this, refuse);
  /** Method and path of every request, in order of arrival. */
  readonly requests: string[] = [];
  /** Refusals for the next requests to a "METHOD /path". */
  readonly refusals = new Map<string, Refusal | "no_answer" | "lost_answer">();
  /** While false, sockets are refused: an opening live channel would fetch everything again. */
  acceptsSockets = true;
  #sockets = new Set<WebSocket>();
  #sessions = new Map<string, FakeUser>();
  #lastId = 100;
  #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  addUser(given: Partial<FakeUser> = {}): FakeUser {
    const user: FakeUser = {
      id: ++this.#lastId,
      username: "dana",
      password: "sod-gadol",
      role: "client",
      messageQuota: 500,
      disabled: false,
      secondFactor: false,
      lacksSecondFactor: false,
      firstPassword: false,
      createdAt: 0,
      ...given,
    };
    this.users.push(user);
    return user;
  }

  addCampaign(given: Parameters<typeof makeCampaign>[0] = {}): Campaign {
    const campaign = makeCampaign({ id: ++this.#lastId, createdAt: this.#now(), ...given });
    this.campaigns.unshift(campaign);
    return campaign;
  }

  /** Returns the session cookie of a user, as a login sets it. */
  openSession(user: FakeUser): string {
    const session = `s${++this.#lastId}`;
    this.#sessions.set(session, user);
    return session;
  }

  /** Ends every session, like an administrator's revocation. */
  endSessions(): void {
    this.#sessions.clear();
  }

  /** Sends an event to every open socket. */
  emit(event: LiveEventBody): void {
    const frame = JSON.stringify({ ...event, id: ++this.#lastId });
    for (const socket of this.#sockets) if (socket.readyState === WebSocket.OPEN) socket.send(frame);
  }

  get openSockets(): number {
    return [...this.#sockets].filter(({ readyState }) => readyState === WebSocket.OPEN).length;
  }

  closeSockets(): void {
    for (const socket of this.#sockets) socket.close();
  }

  /** The fetch handler of the whole interface. */
  handle = async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url);
    const asked = `${request.method} ${pathname}`;
    this.requests.push(asked);
    if (searchParams.has("q")) return refuse("invalid_input", "חיפוש אינו עומד בכתובת");
    const refusal = this.refusals.get(asked);
    if (refusal === "no_answer") return new Response(null, { status: 503 });
    if (refusal === "lost_answer") {
      // Done, but a gateway gave up; once.
      this.refusals.delete(asked);
      await this.handle(request);
      return new Response(null, { status: 504 });
    }
    if (refusal) {
      const response = refuse(refusal.code, refusal.error);
      if (refusal.retryAfterS) response.headers.set("retry-after", String(refusal.retryAfterS));
      return response;
    }
    if (pathname === "/ws") return this.#openSocket(request);
    if (asked === "POST /api/auth/login") return await this.#logIn(request);
    if (asked === "POST /api/auth/logout") return this.#logOut(request);
    if (pathname === `/api/removals/${this.removal?.token}`) {
      const { token: _, ...page } = this.removal!;
      if (request.method === "POST") this.removal!.isRemoved = page.isRemoved = true;
      return Response.json(page);
    }
    const user = this.#sessions.get(sessionOf(request) ?? "");
    if (!user) return refuse("not_logged_in", "נא להתחבר");
    return await this.#route(await asList(request), user);
  };

  async #route(request: Request, user: FakeUser): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const [, resource, id, ...rest] = pathname.split("/").slice(1);
    const act = [request.method, ...rest].join(" ");
    if (resource === "auth") return await this.#auth(`${request.method} ${id}`, request, user);
    const adminAnswer = await this.admin.answer(request, user);
    if (adminAnswer) return adminAnswer;
    if (resource === "profile") {
      if (request.method === "PUT") this.advertiser = await request.json();
      return Response.json({ advertiser: this.advertiser, linkOrigin: this.linkOrigin });
    }
    if (resource === "users" && act === "GET ledger") return this.#ledgerPage(searchParams);
    if (resource === "campaigns" && id === undefined) {
      return act === "GET" ? this.#campaignPage(searchParams) : await this.#create(request);
    }
    const campaign = [...this.campaigns, ...this.tests].find((found) => String(found.id) === id);
    if (resource !== "campaigns" || !campaign) return refuse("not_found", "לא נמצא");
    switch (act) {
      case "GET":
        return Response.json({ ...campaign, waitingReplies: this.admin.waitingOf(campaign.id) });
      case "PATCH":
        return this.#edit(campaign, await request.json());
      case "DELETE":
        this.campaigns.splice(this.campaigns.indexOf(campaign), 1);
        return new Response(null, { status: 204 });
      case "DELETE contacts":
        this.deliveries.delete(campaign.id);
        this.imports.delete(campaign.id);
        Object.assign(campaign, makeCampaign({ ...campaign, status: "draft", counts: {}, totalContacts: 0 }));
        return new Response(null, { status: 204 });
      case "POST duplicate": {
        const { contacts } = await request.json();
        return this.#copy(campaign, () => contacts === "all");
      }
      case "GET texts":
        return Response.json(this.texts.get(campaign.id) ?? NO_TEXTS);
      case "PUT texts": {
        const { messages } = await request.json();
        this.texts.set(campaign.id, { ...NO_TEXTS, messages });
        return Response.json(this.texts.get(campaign.id));
      }
      case "POST texts choose": {
        const { no } = await request.json();
        const texts = this.texts.get(campaign.id) ?? NO_TEXTS;
        this.texts.set(campaign.id, { ...texts, winner: no, canChoose: false });
        return Response.json(this.texts.get(campaign.id));
      }
      case "GET write-again":
        return Response.json({ groups: this.#groups(campaign) });
      case "POST write-again": {
        const { groups, confirmsUnknown } = await request.json() as z.infer<typeof writeAgainRequestSchema>;
        if (groups.some(({ state }) => state === "unknown") && !confirmsUnknown) {
          return Response.json({ error: "", code: "unknown_unconfirmed" }, { status: 409 });
        }
        return this.#copy(
          campaign,
          (row) => groups.some(({ state, reason }) => state === row.state && reason === row.reason),
        );
      }
      case "POST test":
        return this.#test(campaign, await request.json(), user);
      case "GET personal":
        return Response.json(previewPersonal(campaign, this.#personalRows(campaign)));
      case `GET personal rows ${rest[2]}`:
        return this.#personalNeighbours(campaign, Number(rest[2]));
      case "POST personal rows":
        return this.#findPersonal(campaign, await request.json());
      case "POST contacts":
        return this.#addContacts(campaign, ...await fileOf(request));
      case "GET imports":
        return Response.json({ items: this.imports.get(campaign.id) ?? [], nextCursor: null });
      case `DELETE imports ${rest[1]}`:
        return this.#takeOut(campaign, Number(rest[1]));
      case "POST contacts manual":
        return this.#addContacts(campaign, ...await numbersOf(request));
      case "POST send":
        return this.#send(campaign, user, await sendRequestOf(request));
      case "POST take-back":
        return this.#takeBack(campaign, user);
      case "POST pause":
        campaign.status = "paused";
        return Response.json({ status: "paused", changed: campaign.counts.queued, recalled: 0 });
      case "POST resume":
        if (await isUnseen(campaign, request)) {
          return refuse("reason_not_confirmed", "ההשהיה הייתה אוטומטית.");
        }
        campaign.status = "active";
        return Response.json({ status: "active", changed: campaign.counts.queued, recalled: 0 });
      case "POST cancel":
        return this.#cancel(campaign);
      case "GET deliveries.csv":
      case `GET imports ${rest[1]} rejected.csv`:
        return new Response("\ufeffמספר\r\n", { headers: { "content-type": "text/csv; charset=utf-8" } });
      case "GET deliveries":
        return this.#deliveryPage(campaign, searchParams);
      case `GET deliveries ${rest[1]}`:
        return this.#story(campaign, Number(rest[1]));
      case "POST deliveries resolve":
        return this.#resolve(campaign, await request.json());
      case "PUT image":
        return Response.json(Object.assign(campaign, { imageUrl: `${pathname}?v=${++this.#lastId}` }));
      case "DELETE image":
        return Response.json(Object.assign(campaign, { imageUrl: null }));
      case "GET image":
        return new Response(PICTURE, { headers: { "content-type": "image/svg+xml" } });
    }
    return refuse("not_found", "לא נמצא");
  }

  async #auth(act: string, request: Request, user: FakeUser): Promise<Response> {
    switch (act) {
      case "GET sessions":
        return Response.json(this.sessions);
      case "DELETE sessions":
        if ((await request.json()).password !== user.password) {
          return refuse("wrong_credentials", "הסיסמה הנוכחית שגויה.");
        }
        return this.#goOnAlone(request, user);
      case "GET second-factor":
        return Response.json(this.secondFactor);
      case "POST second-factor":
      case "DELETE second-factor":
        return this.#factor(request, user);
      case "POST password": {
        const { currentPassword, newPassword } = changePasswordRequestSchema.parse(await request.json());
        if (currentPassword !== user.password) return refuse("wrong_credentials", "הסיסמה הנוכחית שגויה.");
        user.password = newPassword;
        user.firstPassword = false;
        return this.#goOnAlone(request, user);
      }
    }
    return Response.json(withoutPassword(user));
  }

  #goOnAlone(request: Request, user: FakeUser): Response {
    this.sessions = this.sessions.filter(({ isThis }) => isThis);
    this.#sessions.delete(sessionOf(request) ?? "");
    return new Response(null, { status: 204, headers: this.#sessionHeaders(user) });
  }

  async #factor(request: Request, user: FakeUser): Promise<Response> {
    const { password = user.password, code = "123456" } = await request.json();
    if (password !== user.password) return refuse("wrong_credentials", "הסיסמה הנוכחית שגויה.");
    if (!isGood(code)) return refuse("wrong_code", "קוד האימות שגוי.");
    const act = `${request.method} ${new URL(request.url).pathname.split("/").at(-1)}`;
    if (act === "POST second-factor") return Response.json({ secret: "ABCDEFGH23", uri: "otpauth://totp/x" });
    const headers = act === "POST codes" ? undefined : this.#sessionHeaders(user);
    user.secondFactor = request.method === "POST";
    user.lacksSecondFactor = false;
    this.secondFactor = user.secondFactor
      ? { since: this.#now(), recoveryCodes: 10 }
      : { since: null, recoveryCodes: 0 };
    if (!user.secondFactor) return new Response(null, { status: 204, headers });
    const recoveryCodes = Array.from({ length: 10 }, (_, index) => `AAAA-BBBB-CCCC-DDDD-EEEE-FF2${index}`);
    return Response.json({ recoveryCodes }, { headers });
  }

  async #logIn(request: Request): Promise<Response> {
    const { username, password, code } = loginRequestSchema.parse(await request.json());
    const user = this.users.find((found) => found.username === username && found.password === password);
    if (!user) return refuse("wrong_credentials", "שם משתמש או סיסמה שגויים");
    if (user.secondFactor) {
      if (code === undefined) return refuse("second_factor_needed", "נא להזין קוד אימות");
      if (!isGood(code)) return refuse("wrong_code", "קוד האימות שגוי");
    }
    return Response.json(withoutPassword(user), { headers: this.#sessionHeaders(user) });
  }

  #sessionHeaders(user: FakeUser): Headers {
    const headers = new Headers();
    headers.append("set-cookie", `shigur_session=${this.openSession(user)}; HttpOnly; Path=/`);
    headers.append("set-cookie", "shigur_hint=1; Path=/");
    return headers;
  }

  #logOut(request: Request): Response {
    this.#sessions.delete(sessionOf(request) ?? "");
    this.closeSockets();
    const headers = new Headers();
    headers.append("set-cookie", "shigur_session=; Max-Age=0; Path=/");
    headers.append("set-cookie", "shigur_hint=; Max-Age=0; Path=/");
    return new Response(null, { status: 204, headers });
  }

  #openSocket(request: Request): Response {
    if (!this.acceptsSockets || request.headers.get("upgrade") !== "websocket") {
      return refuse("upgrade_required", "כאן מדברים רק ב־WebSocket");
    }
    const { socket, response } = Deno.upgradeWebSocket(request);
    this.#sockets.add(socket);
    return response;
  }

  async #create(request: Request): Promise<Response> {
    const form = await request.formData();
    const fields = createCampaignFieldsSchema.safeParse(Object.fromEntries(form));
    if (!fields.success) return refuse("invalid_input", "נא למלא שם קמפיין והודעה");
    const { name, message, kind = "undeclared" } = fields.data;
    const campaign = this.addCampaign({ name, message, kind });
    if (form.get("image")) campaign.imageUrl = `/api/campaigns/${campaign.id}/image`;
    campaign.notices = [{ code: "no_contacts" }];
    return Response.json(campaign, { status: 201 });
  }

  #campaignPage(search: URLSearchParams): Response {
    const before = Number(search.get("before") ?? Infinity);
    return Response.json(this.campaigns.filter(({ id }) => id < before).slice(0, CAMPAIGNS_LISTED));
  }

  #edit(campaign: Campaign, { expected, ...words }: { expected?: Partial<Campaign> }): Response {
    const { name, message } = campaign;
    if (expected && (expected.name !== name || expected.message !== message)) {
      return refuse("words_changed", "הנוסח השתנה בינתיים.");
    }
    return Response.json(Object.assign(campaign, words));
  }

  #takeOut(campaign: Campaign, importId: number): Response {
    const held = this.imports.get(campaign.id) ?? [];
    const left = (this.deliveries.get(campaign.id) ?? []).filter(({ attempts }) => attempts !== -importId);
    this.imports.set(campaign.id, held.filter(({ id }) => id !== importId));
    this.deliveries.set(campaign.id, left);
    campaign.totalContacts = campaign.counts.queued = left.length;
    if (left.length === 0) campaign.status = "draft";
    return new Response(null, { status: 204 });
  }

  #groups({ id }: Campaign): RecipientGroups["groups"] {
    const groups = new Map<string, RecipientGroups["groups"][number]>();
    for (const { state, reason } of (this.deliveries.get(id) ?? []).filter(canBeWrittenAgain)) {
      const key = `${state} ${reason}`;
      const count = (groups.get(key)?.count ?? 0) + 1;
      groups.set(key, { state: state as RecipientGroups["groups"][number]["state"], reason, count });
    }
    return [...groups.values()];
  }

  #copy({ id, name, message }: Campaign, isChosen: (row: Delivery) => boolean): Response {
    const copied = (this.deliveries.get(id) ?? []).filter(isChosen);
    const status = copied.length > 0 ? "ready" : "draft";
    const copy = this.addCampaign({
      name: `${name} (עותק)`,
      message,
      status,
      counts: { queued: copied.length },
    });
    this.deliveries.set(copy.id, copied.map(({ phone }) => makeDelivery({ id: ++this.#lastId, phone })));
    return Response.json(copy, { status: 201 });
  }

  #personalRows({ id, message }: Campaign): PersonalRow[] {
    const { parts, faults } = parseTemplate(message);
    return (this.deliveries.get(id) ?? []).map(({ id, phone }) => {
      const values = this.values.get(id) ?? {};
      const missing = requiredFieldsOf(parts).filter((name) => !values[name]);
      const text = faults.length > 0 ? null : composeText(parts, values, () => "");
      return { id, phone, values, text, missing };
    });
  }

  #personalNeighbours(campaign: Campaign, row: number): Response {
    const rows = this.#personalRows(campaign);
    const at = rows.findIndex(({ id }) => id === row);
    if (at < 0) return refuse("not_found", "לא נמצא");
    return Response.json({ previous: rows[at - 1] ?? null, next: rows[at + 1] ?? null, place: at + 1 });
  }

  /** Finds two at a time, so that a test sees a search go on. */
  #findPersonal(campaign: Campaign, { q, after }: { q: string; after: number }): Response {
    const digits = q.replace(/\D/g, "").replace(/^0/, "+972");
    const found = this.#personalRows(campaign).filter(({ id, phone, values }) =>
      id > after &&
      ((digits !== "" && phone.startsWith(digits)) ||
        Object.values(values).some((value) => value.includes(q)))
    );
    const items = found.slice(0, 2);
    return Response.json({ items, next: found.length > 2 ? items.at(-1)!.id : null });
  }

  #test({ name, message }: Campaign, asked: TestRequest, user: FakeUser): Response {
    const { phone } = asked;
    this.testRequests.push(asked);
    if (phone.replace(/\D/g, "").length < 9) return refuse("invalid_input", "מספר הטלפון לא תקין.");
    user.messageQuota -= 1;
    const hidden = makeCampaign({
      id: ++this.#lastId,
      name,
      message,
      status: "active",
      counts: { queued: 1 },
    });
    this.tests.push(hidden);
    this.deliveries.set(hidden.id, [
      makeDelivery({ id: ++this.#lastId, phone: `+972${phone.replace(/\D/g, "").replace(/^0/, "")}` }),
    ]);
    return Response.json({ campaignId: hidden.id, remainingQuota: user.messageQuota, remainingToday: 4 });
  }

  #story(campaign: Campaign, id: number): Response {
    const delivery = this.deliveries.get(campaign.id)?.find((found) => found.id === id);
    if (!delivery) return refuse("not_found", "לא נמצא");
    return Response.json({ ...delivery, history: this.stories.get(id) ?? [] });
  }

  #addContacts(campaign: Campaign, text: string, consent: unknown, fileName = ""): Response {
    if (consent !== undefined) this.consents.push(consent);
    const isLeftOut = campaign.kind === "marketing" && consent === undefined;
    const held = this.deliveries.get(campaign.id) ?? [];
    const known = new Set(held.map(({ phone }) => phone));
    const result: UploadResult = {
      importId: (this.imports.get(campaign.id)?.length ?? 0) + 1,
      total: 0,
      duplicatesRemoved: 0,
      invalid: 0,
      suppressed: 0,
      withoutConsent: 0,
      problems: [],
    };
    text.split(/\r?\n/).forEach((line, index) => {
      const digits = line.replace(/\D/g, "");
      if (!line.trim() || /phone|טלפון/.test(line)) return;
      const phone = `+972${digits.replace(/^0|^972/, "")}`;
      if (phone.length !== 13) {
        result.invalid += 1;
        result.problems.push({ row: index + 1, text: line, problem: "too_short" });
      } else if (known.has(phone)) result.duplicatesRemoved += 1;
      else if (isLeftOut) result.withoutConsent += 1;
      else {
        known.add(phone);
        // A real delivery has no attempt below 0: here it is the import that added it.
        held.push(
          makeDelivery({ id: ++this.#lastId, phone, at: this.#now(), attempts: -result.importId }),
        );
        result.total += 1;
      }
    });
    if (!isLeftOut && result.total + result.duplicatesRemoved === 0) {
      return refuse("no_valid_contacts", "לא נמצאו מספרים תקינים");
    }
    this.imports.set(campaign.id, [{
      id: result.importId,
      source: fileName === "" ? "typed" : "file",
      fileName,
      status: "completed",
      error: null,
      at: this.#now(),
      column: fileName === "" ? null : { no: 1, name: "phone" },
      added: result.total,
      duplicates: result.duplicatesRemoved,
      invalid: result.invalid,
      suppressed: 0,
      withoutConsent: result.withoutConsent,
      hasRejected: result.invalid > 0,
    }, ...this.imports.get(campaign.id) ?? []]);
    if (isLeftOut) return Response.json(result);
    this.deliveries.set(campaign.id, held);
    campaign.status = "ready";
    campaign.notices = [];
    campaign.totalContacts = campaign.counts.queued = held.length;
    return Response.json(result);
  }

  #takeBack(campaign: Campaign, user: FakeUser): Response {
    if (campaign.takeBack === null) return refuse("send_began", "השליחה כבר התחילה");
    user.messageQuota += campaign.totalContacts;
    Object.assign(campaign, { status: "ready", takeBack: null, startedAt: null });
    return Response.json({ status: "ready", remainingQuota: user.messageQuota });
  }

  #send(campaign: Campaign, user: FakeUser, asked: SendRequest): Response {
    const { reached, delaySeconds, leaveOutEmpty = false } = asked;
    this.sends.push(asked);
    const { missing: lacking } = previewPersonal(campaign, this.#personalRows(campaign));
    if (lacking > 0 && !leaveOutEmpty) return refuse("values_missing", `ל־${lacking} נמענים חסר ערך`);
    if (campaign.status !== "ready") return refuse("campaign_not_ready", "הקמפיין כבר נשלח");
    const before = campaign.notices.find(({ code }) => code === "reached_in_lost_time")?.count ?? 0;
    if (before > 0 && reached === undefined) {
      return refuse("reached_in_lost_time", `${before} אנשי קשר ברשימה כבר קיבלו הודעה`);
    }
    if (reached === "leave_out") campaign.totalContacts = campaign.counts.queued -= before;
    const missing = campaign.totalContacts - user.messageQuota;
    if (missing > 0) return refuse("quota_short", `חסרות ${missing} הודעות במכסה`);
    user.messageQuota -= campaign.totalContacts;
    campaign.status = "processing";
    campaign.startedAt = this.#now();
    const delayMs = (delaySeconds ?? 0) * 1000;
    campaign.takeBack = delayMs === 0 ? null : { until: this.#now() + delayMs, leftMs: delayMs };
    this.ledger.unshift({
      id: ++this.#lastId,
      at: this.#now(),
      kind: "reserve",
      delta: -campaign.totalContacts,
      balanceAfter: user.messageQuota,
      campaignId: campaign.id,
      campaignName: campaign.name,
      actor: "client",
      actorName: user.username,
      reason: null,
    });
    return Response.json({ remainingQuota: user.messageQuota });
  }

  #cancel(campaign: Campaign): Response {
    const changed = campaign.counts.queued;
    campaign.counts = { ...campaign.counts, queued: 0, cancelled: campaign.counts.cancelled + changed };
    campaign.status = "cancelled";
    campaign.completedAt = this.#now();
    return Response.json({ status: "cancelled", changed, recalled: campaign.counts.leased });
  }

  #deliveryPage(campaign: Campaign, search: URLSearchParams): Response {
    const state = search.get("state");
    const q = search.get("q") ?? "";
    const from = Number(search.get("cursor") ?? 0);
    const limit = Number(search.get("limit") ?? 100);
    const found = (this.deliveries.get(campaign.id) ?? [])
      .filter((delivery) => (!state || delivery.state === state) && delivery.phone.startsWith(`+${q}`));
    const next = from + limit < found.length ? String(from + limit) : null;
    return Response.json({ items: found.slice(from, from + limit), nextCursor: next });
  }

  #resolve(campaign: Campaign, body: unknown): Response {
    const { ids, as } = resolveRequestSchema.parse(body);
    const found = (this.deliveries.get(campaign.id) ?? [])
      .filter(({ id, state }) => state === "unknown" && (ids === "all" || ids.includes(id)));
    const state = as === "resend" ? "queued" : as;
    for (const delivery of found) Object.assign(delivery, { state, reason: "resolved_by_person" });
    campaign.counts = {
      ...campaign.counts,
      unknown: campaign.counts.unknown - found.length,
      [state]: campaign.counts[state] + found.length,
    };
    if (campaign.counts.unknown === 0) campaign.notices = [];
    return Response.json({ changed: found.length });
  }

  #ledgerPage(search: URLSearchParams): Response {
    const from = Number(search.get("cursor") ?? 0);
    const items = this.ledger.slice(from, from + 20);
    return Response.json({ items, nextCursor: from + 20 < this.ledger.length ? from + 20 : null });
  }
}

function previewPersonal({ message }: Campaign, rows: PersonalRow[]): PersonalPreview {
  const { parts, faults } = parseTemplate(message);
  const fields = [...new Set(rows.flatMap(({ values }) => Object.keys(values)))];
  const unknown = rows.length === 0
    ? []
    : fieldsOf(parts).filter((field) => field && !fields.includes(field));
  const texts = rows.flatMap(({ text }) => text ?? []);
  const filled = ({ values }: PersonalRow) => fieldsOf(parts).filter((name) => values[name]).length;
  return {
    isPersonal: isPersonal(parts),
    fields,
    faults,
    unknown: unknown.map((field) => ({ field, nearest: nearestField(field, fields) })),
    count: rows.length,
    missing: rows.filter(({ missing }) => missing.length > 0).length,
    tooLong: texts.filter(({ length }) => length > MAX_MESSAGE_CHARS).length,
    longestChars: Math.max(0, ...texts.map(({ length }) => length)),
    rows: {
      first: rows[0] ?? null,
      longest:
        rows.filter(({ text }) => text !== null).toSorted((a, b) => b.text!.length - a.text!.length)[0] ??
          null,
      emptiest: rows.toSorted((a, b) => filled(a) - filled(b))[0] ?? null,
    },
  };
}

function sessionOf(request: Request): string | undefined {
  return request.headers.get("cookie")?.match(/shigur_session=([^;]+)/)?.[1];
}

function withoutPassword({ password: _, ...user }: FakeUser): User {
  return user;
}

function isGood(code: string): boolean {
  return code.replaceAll(" ", "") === "123456";
}

function refuse(code: ErrorCode, error: string): Response {
  return Response.json({ error, code }, { status: ERROR_STATUS[code] });
}

/** Returns an uploaded file's text and the declaration about it. */
async function fileOf(request: Request): Promise<[string, unknown, string]> {
  const form = await request.formData();
  const [file, consent] = [form.get("file"), form.get("consent")];
  const declared = consent ? JSON.parse(String(consent)) : undefined;
  return file instanceof File ? [await file.text(), declared, file.name] : ["", declared, ""];
}

async function numbersOf(request: Request): Promise<[string, unknown]> {
  const { numbers, consent } = await request.json();
  return [numbers, consent];
}

const PICTURE =
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 352 200"><rect width="352" height="200" fill="#dcc79a"/><g fill="#b9332f"><circle cx="100" cy="120" r="38"/><circle cx="190" cy="90" r="38"/><circle cx="272" cy="124" r="38"/></g></svg>`;

/** Returns whether a breaker paused the campaign and the request does not name the trip. */
async function isUnseen({ notices }: Campaign, request: Request): Promise<boolean> {
  const trip = notices.find((notice) => notice.trip !== undefined)?.trip;
  return trip !== undefined && (await request.json().catch(() => ({}))).trip !== trip;
}

/** Returns a search request as a list request: its body becomes the query string. */
async function asList(request: Request): Promise<Request> {
  const url = new URL(request.url);
  if (request.method !== "POST" || !url.pathname.endsWith("/search")) return request;
  if (url.pathname !== "/api/admin/search") url.pathname = url.pathname.replace(/\/search$/, "");
  url.search = String(new URLSearchParams(await request.json()));
  return new Request(url, { headers: request.headers });
}

async function sendRequestOf(request: Request): Promise<SendRequest> {
  const text = await request.text();
  return text === "" ? {} : sendRequestSchema.parse(JSON.parse(text));
}
