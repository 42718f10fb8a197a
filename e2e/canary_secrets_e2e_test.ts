/** Puts known secrets into the real processes, and searches for them in all of their output and files. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { TOTP } from "otpauth";
import { builtScreens } from "./built_screens.ts";
import { makeSite } from "./head_office.ts";
import { Caller, makeReadyCampaign } from "./caller.ts";
import { Product } from "./product.ts";
import { until } from "./wait.ts";
import { EDGE_PERMISSIONS } from "shared/testing/permissions.ts";

const root = new URL("../", import.meta.url).pathname;
const random = () => crypto.randomUUID().replaceAll("-", "");

const SECRETS = {
  appKey: `app-key-${random()}`,
  appKeyBeside: `beside-key-${random()}`,
  metricsToken: `metrics-${random()}`,
  databaseToken: `database-${random()}`,
  adminPassword: `admin-${random()}`,
  clientPassword: `client-${random()}`,
  newPassword: `new-${random()}`,
  wrongPassword: `wrong-${random()}`,
  passwordTypedAsName: `slip-${random()}`,
};
const CONTACTS = 6;
/** The first contact's number after its 05; the others follow. */
const FIRST = 47_310_001;
/** Files that hold secrets unencrypted, readable only by their owner; docs/security.md names each. */
const IN_THE_CLEAR = ["logins.json", "app_key", "site_join_token", "identity.json"];
const IMAGE = new URL("../edge/campaigns/testdata/photo.jpg", import.meta.url);

Deno.test("no secret, number or message is in a log, bundle, figure, error, backup output or unlisted file", async () => {
  const webDir = await builtScreens("preact");
  const debug = { LOG_LEVEL: "debug" };
  const product = await Product.start({
    devices: 2,
    speed: 50,
    rateLimit: 0,
    webDir,
    env: {
      edge: {
        ...debug,
        APP_KEY: SECRETS.appKey,
        APP_KEY_BESIDE: SECRETS.appKeyBeside,
        METRICS_TOKEN: SECRETS.metricsToken,
        DATABASE_AUTH_TOKEN: SECRETS.databaseToken,
        ADMIN_PASSWORD: SECRETS.adminPassword,
      },
      agent: debug,
      simulator: debug,
    },
  });
  const outputs: Record<string, string> = {};
  try {
    const { cookies, factor, joinToken, message } = await drive(product, outputs);
    const headers = { authorization: `Bearer ${SECRETS.metricsToken}` };
    outputs["/metrics"] = await (await fetch(`${product.url}/metrics`, { headers })).text();
    assert.match(outputs["/metrics"], /shigur_reported_total/);
    outputs["backup"] = await backup(product.dataDir);
    outputs["bundle"] = await textOf(webDir);
    await product.stop({ keepsData: true });
    outputs["logs"] = product.lines.join("\n");
    // Each part must have logged something; a number in a path is masked, not left out.
    for (const line of [`"request"`, `"request_refused"`, "•••0001", "agent | "]) {
      assert.ok(outputs["logs"].includes(line), line);
    }

    const { key } = JSON.parse(await Deno.readTextFile(join(product.dataDir, "agent/identity.json")));
    const secrets: Record<string, string> = { ...SECRETS, ...cookies, ...factor, joinToken, agentKey: key.d };
    const people = { message, ...numbers() };
    for (const [where, text] of Object.entries(outputs)) {
      for (const [what, secret] of Object.entries({ ...secrets, ...people })) {
        assert.ok(secret.length > 8 && !text.includes(secret), `${what} is in ${where}`);
      }
    }
    // No other file at rest contains a usable secret: the database has only hashes.
    const atRest = await textOf(product.dataDir, (name) => !IN_THE_CLEAR.includes(name));
    assert.ok(atRest.includes(message), "the database was read");
    for (const [what, secret] of Object.entries(secrets)) {
      assert.ok(!atRest.includes(secret), `${what} is in DATA_DIR`);
    }
    for (const path of ["logins.json", "agent/identity.json"]) {
      const { mode } = await Deno.stat(join(product.dataDir, path));
      assert.equal(mode! & 0o777, 0o600, path);
    }
    const page = await Deno.readTextFile(join(root, "docs/security.md"));
    for (const name of IN_THE_CLEAR) assert.ok(page.includes(name), `docs/security.md names ${name}`);
  } finally {
    await product.stop({ keepsData: true });
    await Deno.remove(product.dataDir, { recursive: true });
  }
});

/** Logs in correctly and wrongly, sends a campaign, enrols a site, and makes refused requests that contain secrets. */
async function drive(product: Product, outputs: Record<string, string>) {
  const admin = await Caller.login(product.url, {
    username: "admin",
    role: "admin",
    password: SECRETS.adminPassword,
  });
  const person = { username: "דנה", password: SECRETS.clientPassword };
  const { id } = await admin.read<{ id: number }>("POST", "/api/users", {
    json: { ...person, role: "client" },
  });
  await admin.read("PATCH", `/api/users/${id}/quota`, { json: { messageQuota: 50 } });
  const client = await Caller.login(product.url, { ...person, role: "client" });
  const joinToken = await makeSite(admin, "חיפה");

  const campaign = await makeReadyCampaign(client, `קנרית ${random()}`, CONTACTS, {
    first: FIRST,
    image: new File([await Deno.readFile(IMAGE)], "photo.jpg"),
  });
  const { message } = await client.read<{ message: string }>("GET", `/api/campaigns/${campaign}`);
  await client.read("POST", `/api/campaigns/${campaign}/send`);
  await until(
    async () => {
      const { status } = await client.read<{ status: string }>("GET", `/api/campaigns/${campaign}`);
      return status === "completed";
    },
    90_000,
    "the campaign's end",
  );

  const passwords = (currentPassword: string) => ({
    json: { currentPassword, newPassword: SECRETS.newPassword },
  });
  const visitor = new Caller(product.url);
  const publicKey = joinToken;
  const phone = `05${FIRST}`;
  const refused: [Caller, string, string, unknown][] = [
    [visitor, "POST", "/api/auth/login", { username: "דנה", password: SECRETS.wrongPassword }],
    [visitor, "POST", "/api/auth/login", { username: SECRETS.passwordTypedAsName, password: "x" }],
    [visitor, "POST", "/api/auth/login", { username: { [SECRETS.clientPassword]: 1 }, password: 1 }],
    [client, "POST", "/api/auth/password", passwords(SECRETS.wrongPassword).json],
    [visitor, "POST", "/api/agent/enroll", { joinToken, publicKey: `${publicKey}!` }],
    [client, "POST", `/api/campaigns/${campaign}/contacts/manual`, { numbers: phone }],
    [client, "POST", `/api/campaigns/${campaign}/test`, { phone: `${phone}0` }],
    [client, "GET", `/api/campaigns/${campaign}/deliveries?limit=x&q=${phone}`, undefined],
    [client, "GET", `/api/${phone}`, undefined],
    [visitor, "GET", `/metrics?token=${SECRETS.metricsToken}`, undefined],
    [admin, "POST", "/api/users", { ...person, role: person.password }],
  ];
  for (const [caller, method, path, json] of refused) {
    const answer = await caller.call(method, path, { json });
    outputs[`${answer.status} ${method} ${path.split("?")[0]!.replace(phone, "…")}`] = await answer.text();
    assert.ok(answer.status >= 400 && answer.status < 500, `${method} ${path}: ${answer.status}`);
  }
  assert.equal((await client.call("POST", "/api/auth/password", passwords(person.password))).status, 204);
  const changed = { ...person, password: SECRETS.newPassword };
  const factor = await turnOnSecondFactor(client, changed, outputs);
  return {
    factor,
    cookies: { adminSession: sessionOf(admin), clientSession: sessionOf(client) },
    joinToken,
    message,
  };
}

/** Turns the second factor on, and sends correct and wrong codes; returns the secret and the used and unused codes. */
async function turnOnSecondFactor(
  client: Caller,
  { username, password }: { username: string; password: string },
  outputs: Record<string, string>,
): Promise<Record<string, string>> {
  const path = "/api/auth/second-factor";
  const { secret } = await client.read<{ secret: string }>("POST", path, { json: { password } });
  const code = new TOTP({ secret }).generate();
  const { recoveryCodes: [used, kept] } = await client.read<{ recoveryCodes: string[] }>(
    "POST",
    `${path}/confirm`,
    { json: { code } },
  );
  const visitor = new Caller(client.url);
  for (const [typed, status] of [[undefined, 401], [`${used}A`, 401], [code, 401], [used, 200]] as const) {
    const answer = await visitor.call("POST", "/api/auth/login", {
      json: { username, password, code: typed },
    });
    assert.equal(answer.status, status);
    outputs[`login with ${typed === undefined ? "no" : "a"} code: ${status}`] = await answer.text();
  }
  const bare = kept!.replaceAll("-", "");
  return { factorSecret: secret, usedCode: used!, keptCode: kept!, bareCode: bare };
}

const sessionOf = ({ cookie }: Caller): string => /shigur_session=([^;]+)/.exec(cookie)![1]!;

/** Returns the contacts' numbers in all their notations. */
function numbers(): Record<string, string> {
  const forms = Array.from({ length: CONTACTS }, (_, index) => {
    const local = `5${FIRST + index}`;
    return [`972${local}`, `0${local}`, `0${local.slice(0, 2)}-${local.slice(2, 5)}-${local.slice(5)}`];
  });
  return Object.fromEntries(forms.flat().map((form, index) => [`number ${index}`, form]));
}

async function backup(dataDir: string): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-q", ...EDGE_PERMISSIONS, "edge/commands/backup.ts"],
    cwd: root,
    env: { DATA_DIR: dataDir, APP_KEY: SECRETS.appKey, DATABASE_AUTH_TOKEN: SECRETS.databaseToken },
  }).output();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
}

/** Returns whether a file of the bundle is searched; compressed files have the same content as their originals. */
function isShipped(name: string): boolean {
  return /\.(js|css|html|svg|txt|json|map)$/.test(name);
}

/** Returns the text of all files below `folder` whose names pass. */
async function textOf(folder: string, passes = isShipped): Promise<string> {
  let text = "";
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory) text += await textOf(path, passes);
    else if (passes(name)) text += new TextDecoder().decode(await Deno.readFile(path));
  }
  return text;
}
