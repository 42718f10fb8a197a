/** Finds the messaging apps of a phone: one account for each app in each running Android user. */
import { type AndroidUser, readUsers } from "./android_users.ts";
import { type AppAccount, type Phone, PhoneCommandError } from "./phone.ts";

export interface FoundAccount {
  account: string;
  appVersion: string | null;
  /** Time of the app's first installation for its user, in ms since 1970. The account is not older than its app. */
  firstInstalledAt: number | null;
  /** The phone's language, two letters of ISO 639; null = not known. The app may have another one. */
  language: string | null;
  userKind: AndroidUser["kind"];
  /** Its user's screens can be shown now: it is a profile beside its owner, or the user in front. */
  isInFront: boolean;
}

export interface AppFacts {
  appVersion: string | null;
  language: string | null;
  /** By Android user. */
  firstInstalledAt: Map<number, number>;
}

/** The result of the last search. If it is still true, a new search takes one command. */
export interface KnownApps {
  /** By app and the users that have it. They cost a phone half a second. */
  facts: Map<string, AppFacts>;
  /** Ids of the Android users that were running. */
  users: readonly number[];
  /** The path of each app in each user, by "com.whatsapp/10". An app whose version could not be read has none here. */
  paths: ReadonlyMap<string, string>;
  /** How often the version of an app in `facts` could not be read in a row. */
  unread: Map<string, number>;
}

/** The knowledge about a phone that was never asked. */
export function nothingKnown(): KnownApps {
  return { facts: new Map(), users: [0], paths: new Map(), unread: new Map() };
}

const APPS = ["com.whatsapp", "com.whatsapp.w4b"] as const;
/** A part of both app names. */
const APPS_FILTER = "com.whatsapp";
/** A phone that does not say an app's version is asked so often, and then as seldom as any other. */
const MOST_UNREAD = 3;

/** Returns the command whose output readAccounts() reads. */
export function accountsCommand({ users }: KnownApps): string {
  return `pm list users; echo front=$(am get-current-user); ${listApps(users)}`;
}

/**
 * Lists the accounts of a phone.
 *
 * @throws {AdbError} when the phone cannot be reached
 */
export async function discoverAccounts(phone: Phone, signal?: AbortSignal): Promise<FoundAccount[]> {
  const known = nothingKnown();
  return await readAccounts(phone, await phone.run(accountsCommand(known), { signal }), known, signal);
}

/**
 * Reads a phone's accounts from its output and updates `known`. Asks the phone for what is missing; an app's facts only
 * once for the same users, and a few times when its version does not come.
 *
 * @throws {AdbError} when the phone cannot be reached
 */
export async function readAccounts(
  phone: Phone,
  output: string,
  known: KnownApps,
  signal?: AbortSignal,
): Promise<FoundAccount[]> {
  const asked = known.users;
  const front = Number(/^front=(\d+)/m.exec(output)?.[1] ?? 0);
  const users = readUsers(output).filter(({ isRunning }) => isRunning);
  const installed = readInstalled(output);
  const others = users.map(({ id }) => id).filter((id) => !asked.includes(id));
  if (others.length > 0) {
    const more = readInstalled(await phone.run(listApps(others), { signal }));
    for (const [one, path] of more) installed.set(one, path);
  }
  known.users = users.map(({ id }) => id);
  const paths = new Map(installed);
  const found: FoundAccount[] = [];
  for (const app of APPS) {
    const holders = users.filter(({ id }) => installed.has(`${app}/${id}`));
    if (holders.length === 0) continue;
    // An update gives the app another folder: its version is then asked for again.
    const key = `${app} ${holders.map(({ id }) => `${id} ${installed.get(`${app}/${id}`)}`).join(",")}`;
    const facts = known.facts.get(key) ?? await askAppFacts(phone, app, signal);
    const isRead = isVersionRead(known, key, facts);
    if (isRead) known.facts.set(key, facts);
    for (const { id, kind, isProfile } of holders) {
      if (!isRead) paths.delete(`${app}/${id}`);
      found.push({
        account: `${phone.device}/${app}/${id}`,
        appVersion: facts.appVersion,
        language: facts.language,
        firstInstalledAt: facts.firstInstalledAt.get(id) ?? null,
        userKind: kind,
        isInFront: isProfile || id === front,
      });
    }
  }
  // Last: a reading that failed counts for no path, so that the next look asks again.
  known.paths = paths;
  return found;
}

/** Returns whether an app's version is known, or was asked for so often in vain that the answer counts. */
function isVersionRead({ facts, unread }: KnownApps, key: string, { appVersion }: AppFacts): boolean {
  if (facts.has(key)) return true;
  if (appVersion !== null) {
    unread.delete(key);
    return true;
  }
  const times = (unread.get(key) ?? 0) + 1;
  unread.set(key, times);
  return times >= MOST_UNREAD;
}

/** Returns a short command whose output isAppReplaced() reads. */
export function pathCommand({ user }: AppAccount): string {
  return `{ ${listApps([user])}; }`;
}

/**
 * Returns whether the output shows the account's app at another path than the known one: it was updated, or its version
 * is still to be read.
 */
export function isAppReplaced({ app, user }: AppAccount, output: string, { paths }: KnownApps): boolean {
  const [known, found] = [paths, readInstalled(output)].map((each) => each.get(`${app}/${user}`));
  return found !== undefined && known !== found;
}

function listApps(users: readonly number[]): string {
  const commands = users.map((id) => `echo user=${id}; pm list packages -f --user ${id} ${APPS_FILTER}`);
  return [...commands, "true"].join("; ");
}

/**
 * Returns the path of each of our apps in each user, by "com.whatsapp/10", from the output of `listApps`: lines such as
 * "package:/data/app/~~Yx==/com.whatsapp-Q1==/base.apk=com.whatsapp". The path may be missing.
 */
function readInstalled(output: string): Map<string, string> {
  const installed = new Map<string, string>();
  let user = "";
  for (const line of output.split("\n").map((text) => text.trim())) {
    if (line.startsWith("user=")) user = line.slice("user=".length);
    if (!line.startsWith("package:")) continue;
    const nameAt = line.lastIndexOf("=") + 1 || "package:".length;
    installed.set(`${line.slice(nameAt)}/${user}`, line.slice("package:".length, nameAt));
  }
  return installed;
}

async function askAppFacts(phone: Phone, app: string, signal?: AbortSignal): Promise<AppFacts> {
  const command = "echo zone=$(date +%z) " +
    "locale=$(getprop persist.sys.locale),$(getprop ro.product.locale); " +
    `dumpsys package ${app} | grep -E 'versionName|firstInstallTime|^ +User [0-9]+:'`;
  try {
    return readAppFacts(await phone.run(command, { signal }));
  } catch (error) {
    // grep exits with 1 when it finds nothing.
    if (error instanceof PhoneCommandError) return readAppFacts(error.output);
    throw error;
  }
}

/**
 * Reads "versionName=2.25.1" and "firstInstallTime=2024-05-06 07:08:09" in the phone's zone. Older Androids give one
 * time for the package, newer ones one under each "User 10:". The zone is today's: an hour off across a clock change. A
 * preinstalled app has 1970, or the 2009 of system images: not known.
 */
export function readAppFacts(output: string): AppFacts {
  const zone = /^zone=([+-]\d\d)(\d\d)/m.exec(output);
  const offset = zone ? `${zone[1]}:${zone[2]}` : "Z";
  const firstInstalledAt = new Map<number, number>();
  const users: number[] = [];
  let ofPackage: number | null = null;
  for (const line of output.split("\n")) {
    const user = /^\s+User (\d+):/.exec(line)?.[1];
    if (user !== undefined) users.push(Number(user));
    const time = /firstInstallTime=(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)/.exec(line);
    if (!time) continue;
    const at = Date.parse(`${time[1]}T${time[2]}${offset}`);
    if (!(at >= EARLIEST_INSTALL)) continue;
    const last = users.at(-1);
    if (last === undefined) ofPackage ??= at;
    else if (!firstInstalledAt.has(last)) firstInstalledAt.set(last, at);
  }
  for (const user of users) {
    if (ofPackage !== null && !firstInstalledAt.has(user)) firstInstalledAt.set(user, ofPackage);
  }
  return {
    appVersion: /versionName=(\S{1,40})/.exec(output)?.[1] ?? null,
    language: readLanguage(output),
    firstInstalledAt,
  };
}

/** Android writes Hebrew, Indonesian and Yiddish by the codes of an older ISO 639. */
const OLD_CODES: Record<string, string> = { iw: "he", in: "id", ji: "yi" };

/** Reads "locale=he-IL,en-US": the language that a person chose, and the one of the factory. */
function readLanguage(output: string): string | null {
  const code = /^zone=\S{0,10} locale=,?([a-z]{2})(?![a-z])/m.exec(output)?.[1];
  return code === undefined ? null : OLD_CODES[code] ?? code;
}

/** None of the apps is older. Android's images give preinstalled apps the date 1 January 2009. */
const EARLIEST_INSTALL = Date.UTC(2010, 0);
