/** A whole edge for one test: fresh database, the real application, and logged-in people. */
import { TEST_APP_KEY, TEST_MARK_KEYS, testAuditParts } from "./audit_parts.ts";
import { deriveKey } from "../keys/app_key.ts";
import { createBoundKeys, type KeyBounds } from "../auth/bound_key_calls.ts";
import type { CallBound } from "shared/call_limits.ts";
import { createCallRate } from "../auth/call_rate.ts";
import type { LoginDoor } from "../auth/login.ts";
import { openPasswords } from "../auth/password.ts";
import { countShownStills, type ShownStills } from "../stills/shown_stills.ts";
import { createStillDesk, type StillDesk } from "../stills/still_desk.ts";
import { type AgentHub, createAgentHub } from "../sites/hub.ts";
import { createApp } from "../app.ts";
import type { EdgeContext, Outside, Scan } from "../context.ts";
import { CLIENT_SCOPES } from "shared/api_key.ts";
import type { GivenDuty } from "shared/duty.ts";
import type { MakeKeyRequest } from "shared/keys_api.ts";
import { createLog } from "../log.ts";
import { readSchema, type Schema } from "../db/migrate.ts";
import { requestFields } from "../http/request_scope.ts";
import { createBrowserHub } from "../live/browser_hub.ts";
import { createTail, type Tail } from "../live/tail.ts";
import { createEdgeMetrics } from "../operations/edge_metrics.ts";
import { createReadiness, type Readiness } from "../operations/readiness.ts";
import { openFactorKeys } from "../auth/sealed_secret.ts";
import { sleep } from "../time/sleep.ts";
import { createUser, type NewUser } from "../users/create_user.ts";
import { parseNetwork } from "../public_address.ts";
import { openWebhooks } from "../webhooks/open_webhooks.ts";
import type { PostRules } from "../webhooks/post_once.ts";
import { setQuota } from "../users/set_quota.ts";
import { openTestDatabase, type TestDatabase } from "./test_db.ts";

export const TEST_PASSWORD = "correct horse";
/** The proof that an action asks of a person without a second factor. */
export const PROOF = { password: TEST_PASSWORD };
export const TEST_ORIGIN = "http://localhost";
/** 2026-11-22 10:00 in Jerusalem, a Sunday within sending hours. */
const TEST_NOW = Date.UTC(2026, 10, 22, 8);

export interface AskInit extends RequestInit {
  json?: unknown;
  /** The client address of the request. */
  address?: string;
}

export interface TestPerson {
  id: number;
  /** The account that the person works for, and the person: `id` twice for an owner. */
  client: number;
  person: number;
  username: string;
  /** As the browser would send it. */
  cookie: string;
  /** Sends a request as this person, from the edge's own origin; a plain object as `json` becomes the body. */
  ask(path: string, init?: AskInit): Promise<Response>;
}

export interface TestKey {
  id: number;
  secret: string;
  /** Sends a request with the key, as a program would: without a cookie and an origin. */
  ask(path: string, init?: AskInit): Promise<Response>;
}

export interface TestApp extends AsyncDisposable {
  app: ReturnType<typeof createApp>;
  agents: AgentHub;
  stills: { desk: StillDesk; shown: ShownStills };
  ctx: EdgeContext;
  database: TestDatabase;
  door: LoginDoor;
  /** Runs while a test wants live events: `tail.run(signal)`. */
  tail: Tail;
  readiness: Readiness;
  /** The time returned by `ctx.now()`; set it to move time. */
  clock: { now: number };
  /** Lines that the edge logged. */
  logged: string[];
  /** Creates a user with the real function and logs them in through the door. */
  addPerson(person?: Partial<NewUser> & { messageQuota?: number }): Promise<TestPerson>;
  /** Invites a person to the owner's account, accepts the link, and logs in, all through the doors. */
  addColleague(owner: TestPerson, duty: GivenDuty): Promise<TestPerson>;
  /** Returns a person who logged in to the application from which this database was copied. */
  knownPerson(person: Omit<TestPerson, "ask">): TestPerson;
  /** Makes an API key of a client's owner, or of an administrator, through the door. */
  addKey(owner: Pick<TestPerson, "ask">, key?: Partial<MakeKeyRequest>): Promise<TestKey>;
  /** Returns a key of the application from which this database was copied. */
  knownKey(key: Omit<TestKey, "ask">): TestKey;
  /** A caller without a session. */
  visitor: Pick<TestPerson, "ask">;
}

export interface TestAppOptions {
  publicUrl?: URL;
  webDir?: string;
  packageDir?: string;
  metricsToken?: string;
  /** No bound by default, because time does not move here. */
  callBound?: CallBound;
  /** @default KEY_BOUNDS */
  keyBounds?: KeyBounds;
  /** Folder of the backups. */
  dataDir?: string;
  /** Absent = uploads are not scanned. */
  scan?: Scan;
  /** Absent = alerts stay in the browser. */
  outside?: Outside;
  /** By default webhooks may go to this machine. */
  webhooks?: Partial<PostRules>;
  /** The address that it would listen on. */
  host?: string;
  /** Place and initial content of its database, as openTestDatabase() takes them. */
  under?: string;
  copyOf?: string;
}

let read: Promise<Schema> | undefined;
function schema(): Promise<Schema> {
  return read ??= readSchema();
}

/** Opens an edge; `await using` closes everything. Password hashing is nearly free here, with the same code. */
export async function openTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const database = await openTestDatabase({ under: options.under, copyOf: options.copyOf });
  const clock = { now: TEST_NOW };
  const logged: string[] = [];
  const ctx: EdgeContext = {
    db: database.db,
    now: () => clock.now,
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    wakeOutbox: () => {},
    log: createLog({
      level: "debug",
      now: () => clock.now,
      write: (line) => logged.push(line),
      scope: requestFields,
    }),
    audit: testAuditParts(),
    databaseMarkKeys: TEST_MARK_KEYS,
    scan: options.scan,
    outside: options.outside,
    linkOrigin: options.publicUrl?.origin,
    webhooks: await openWebhooks({
      keys: [TEST_APP_KEY],
      allowed: [parseNetwork("127.0.0.0/8")!],
      wake() {},
      ...options.webhooks,
    }),
  };
  const passwords = openPasswords({ cost: { memoryKiB: 8, iterations: 1 }, inline: true });
  const door = {
    passwords,
    throttleKey: await deriveKey(TEST_APP_KEY, "login-throttle"),
    factorKeys: await openFactorKeys([TEST_APP_KEY]),
  };
  const browsers = createBrowserHub(ctx.now);
  const agents = createAgentHub();
  const metrics = createEdgeMetrics({
    now: ctx.now,
    clock: ctx.now,
    sleep,
    browsers,
    agents,
    files: { databasePath: database.path, dataDir: options.dataDir ?? "no-files-in-this-test" },
  });
  const readiness = createReadiness({ db: ctx.db, schema: await schema(), clock: ctx.now, sleep });
  const tail = createTail({
    db: ctx.db,
    log: ctx.log,
    sleep,
    browsers,
    deliverToAgents: agents.deliver,
    onEvent: metrics.sawEvent,
  });
  ctx.wakeOutbox = tail.wake;
  const stills = {
    desk: createStillDesk({ clock: ctx.now, sleep }),
    shown: countShownStills(ctx),
  };
  const app = createApp({
    ctx,
    door,
    boundKeys: createBoundKeys(ctx, ctx.now, options.keyBounds),
    callRate: createCallRate(ctx.now, options.callBound ?? { burst: Infinity, perSecond: 60 }),
    sockets: { browsers, agents, tail },
    stills,
    operations: {
      metrics,
      readiness,
      metricsToken: options.metricsToken,
      host: options.host ?? "127.0.0.1",
    },
    publicUrl: options.publicUrl,
    webDir: options.webDir ?? "no-screens-in-this-test",
    packageDir: options.packageDir ?? "no-agent-in-this-test",
  });
  const origin = options.publicUrl?.origin ?? TEST_ORIGIN;

  function ask(path: string, init: AskInit = {}, cookie = ""): Promise<Response> {
    const { json, address = "192.0.2.1", ...rest } = init;
    const headers = new Headers(rest.headers);
    if (!headers.has("origin")) headers.set("origin", origin);
    if (cookie !== "" && !headers.has("cookie")) headers.set("cookie", cookie);
    if (json !== undefined) {
      headers.set("content-type", "application/json");
      rest.body = JSON.stringify(json);
    }
    return Promise.resolve(
      app.request(`${origin}${path}`, { ...rest, headers }, {
        remoteAddr: { transport: "tcp", hostname: address, port: 1 },
      }),
    );
  }

  // Names in a copy are already taken by the people added before.
  const { rows: [users] } = await database.db.execute("SELECT count(*) AS count FROM users");
  let made = Number(users.count);
  async function addPerson(
    { messageQuota = 0, ...person }: Partial<NewUser> & { messageQuota?: number } = {},
  ): Promise<TestPerson> {
    const { id, username } = await createUser(ctx, passwords, {
      username: `person-${++made}`,
      password: TEST_PASSWORD,
      role: "client",
      ...person,
    });
    if (messageQuota > 0) await setQuota(ctx, { clientId: id, actorId: id, messageQuota });
    const response = await ask("/api/auth/login", {
      method: "POST",
      json: { username, password: person.password ?? TEST_PASSWORD },
    });
    if (response.status !== 200) throw new Error(`Cannot log in "${username}": ${await response.text()}`);
    const cookie = cookiesOf(response);
    return knownPerson({ id, client: id, person: id, username, cookie });
  }

  async function addColleague(owner: TestPerson, duty: GivenDuty): Promise<TestPerson> {
    const username = `person-${++made}`;
    const post = async (by: Pick<TestPerson, "ask">, path: string, json: unknown) => {
      const answer = await by.ask(path, { method: "POST", json });
      if (!answer.ok) throw new Error(`Cannot add a colleague: ${path} ${await answer.text()}`);
      return answer;
    };
    const invited = await post(owner, "/api/invitations", { label: username, duty, proof: PROOF });
    const { token } = await invited.json();
    await post({ ask }, "/api/join", { token, username, password: TEST_PASSWORD });
    const answer = await post({ ask }, "/api/auth/login", { username, password: TEST_PASSWORD });
    const { id } = await answer.clone().json();
    return knownPerson({ id, client: owner.client, person: id, username, cookie: cookiesOf(answer) });
  }

  async function addKey(
    owner: Pick<TestPerson, "ask">,
    { scopes = [...CLIENT_SCOPES], mode = "live", ...key }: Partial<MakeKeyRequest> = {},
  ): Promise<TestKey> {
    const json = { name: "CRM", mode, scopes, ...key, proof: PROOF };
    const answer = await owner.ask("/api/keys", { method: "POST", json });
    if (answer.status !== 201) throw new Error(`Cannot make a key: ${await answer.text()}`);
    const { key: { id }, secret } = await answer.json();
    return knownKey({ id, secret });
  }

  function knownKey({ id, secret }: Omit<TestKey, "ask">): TestKey {
    const authorization = `Bearer ${secret}`;
    return {
      id,
      secret,
      ask: (path, init = {}) =>
        ask(path, { ...init, headers: { authorization, ...init.headers as Record<string, string> } }),
    };
  }

  function knownPerson(person: Omit<TestPerson, "ask">): TestPerson {
    return { ...person, ask: (path, init) => ask(path, init, person.cookie) };
  }

  async function dispose() {
    passwords.close();
    await database.close();
  }
  return {
    app,
    agents,
    stills,
    ctx,
    database,
    door,
    tail,
    readiness,
    clock,
    logged,
    addPerson,
    addColleague,
    addKey,
    knownKey,
    knownPerson,
    visitor: { ask },
    [Symbol.asyncDispose]: dispose,
  };
}

/** Returns the cookies that a browser would send back after `response`. */
export function cookiesOf(response: Response): string {
  return response.headers.getSetCookie().map((cookie) => cookie.split(";")[0]!).join("; ");
}
