/** Finds the messaging apps of a phone: one account for each app in each Android user that runs. */
import { type Phone, PhoneCommandError } from "./phone.ts";

export interface FoundAccount {
  account: string;
  appVersion: string | null;
  /** When the app was first installed, in milliseconds since 1970: the account is not older than its app. */
  firstInstalledAt: number | null;
}

const APPS = ["com.whatsapp", "com.whatsapp.w4b"] as const;

/**
 * Lists the accounts of a phone.
 *
 * @throws {AdbError} when the phone cannot be reached
 */
export async function discoverAccounts(phone: Phone, signal?: AbortSignal): Promise<FoundAccount[]> {
  const users = readRunningUsers(await phone.run("pm list users", { signal }));
  const found: FoundAccount[] = [];
  const facts = new Map<string, Pick<FoundAccount, "appVersion" | "firstInstalledAt">>();
  for (const user of users) {
    const packages = readPackages(await phone.run(`pm list packages --user ${user}`, { signal }));
    for (const app of APPS.filter((name) => packages.has(name))) {
      if (!facts.has(app)) facts.set(app, await askAppFacts(phone, app, signal));
      found.push({ account: `${phone.device}/${app}/${user}`, ...facts.get(app)! });
    }
  }
  return found;
}

/** User ids of the lines "UserInfo{10:Work:1030} running". */
export function readRunningUsers(output: string): number[] {
  return [...output.matchAll(/UserInfo\{(\d+):.*\} running/g)].map(([, id]) => Number(id));
}

function readPackages(output: string): Set<string> {
  return new Set(output.split("\n").map((line) => line.trim().replace(/^package:/, "")));
}

async function askAppFacts(
  phone: Phone,
  app: string,
  signal?: AbortSignal,
): Promise<Pick<FoundAccount, "appVersion" | "firstInstalledAt">> {
  try {
    return readAppFacts(
      await phone.run(`dumpsys package ${app} | grep -E 'versionName|firstInstallTime'`, { signal }),
    );
  } catch (error) {
    // grep exits with 1 when it found nothing.
    if (error instanceof PhoneCommandError) return { appVersion: null, firstInstalledAt: null };
    throw error;
  }
}

/** Reads "versionName=2.25.1" and "firstInstallTime=2024-05-06 07:08:09"; the phone's time zone is not told. */
export function readAppFacts(output: string): Pick<FoundAccount, "appVersion" | "firstInstalledAt"> {
  const time = /firstInstallTime=(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)/.exec(output);
  const firstInstalledAt = time ? Date.parse(`${time[1]}T${time[2]}Z`) : NaN;
  return {
    appVersion: /versionName=(\S{1,40})/.exec(output)?.[1] ?? null,
    firstInstalledAt: firstInstalledAt >= 0 ? firstInstalledAt : null,
  };
}
