/** Checks each phone of adb's list: permission, health, apps, contacts, settings. Changes nothing, but opens a swipe lock. */
import { type AccountState, MAX_SITE_DEVICES } from "shared/agent_protocol.ts";
import type { AdbClient } from "../adb/client.ts";
import type { AdbDevice } from "../adb/device_list.ts";
import type { Clock } from "../time/clock.ts";
import { errorText } from "../log.ts";
import { adbPhone, identifyPhone } from "../phone/adb_phone.ts";
import { discoverAccounts, type FoundAccount } from "../phone/discover_accounts.ts";
import { askHealth, type Health } from "../phone/health.ts";
import { parseAccount } from "../phone/phone.ts";
import { countSavedContacts } from "../phone/saved_contacts.ts";
import { checkSettings } from "./check_settings.ts";
import type { SiteStatus } from "../site/site_status.ts";
import { type Finding, finding, type FindingCode } from "./words.ts";

export interface PhoneCheck {
  adb: AdbClient;
  clock: Clock;
  /** The last status of the running agent: only the agent has seen the apps from inside. */
  status: SiteStatus | null;
}

/** Asks all phones at once, so that a hung one delays no other. A phone with two paths is reported once. */
export async function checkPhones(check: PhoneCheck, stop: AbortSignal): Promise<Finding[]> {
  const devices = await check.adb.devices(stop);
  if (devices.length === 0) return [finding("no_phone")];
  const found = (await Promise.all(devices.map((line) => checkPhone(check, line, stop)))).flat();
  const count = check.status?.worksite?.devices.length ?? 0;
  if (count > MAX_SITE_DEVICES) found.push(finding("too_many_phones", { count, most: MAX_SITE_DEVICES }));
  return [...new Map(found.map((finding) => [JSON.stringify(finding), finding])).values()];
}

async function checkPhone(check: PhoneCheck, line: AdbDevice, stop: AbortSignal): Promise<Finding[]> {
  const { serial, state } = line;
  if (state === "unauthorized" || state === "authorizing") {
    return [finding("phone_unauthorized", { device: serial })];
  }
  if (state === "no permissions") return [finding("phone_no_permissions", { device: serial })];
  if (state !== "device") return [finding("phone_offline", { device: serial, state })];
  const { adb, clock } = check;
  try {
    const { device, model } = await identifyPhone(adb, serial, stop);
    const phone = adbPhone({ adb, clock, device, address: () => serial });
    const { health } = await askHealth(phone, { signal: stop });
    const own = finding(HEALTH[health.state], { device, model, detail: health.detail ?? "" });
    if (health.state === "booting") return [own];
    const accounts = await discoverAccounts(phone, stop);
    return [
      own,
      ...accounts.map((account) => accountFinding(account, check.status)),
      ...(accounts.length === 0 ? [finding("app_missing", { device })] : []),
      contactsFinding(device, await countSavedContacts(phone, stop)),
      ...await checkSettings(phone, accounts.map(({ account }) => parseAccount(account)), stop),
    ];
  } catch (error) {
    stop.throwIfAborted();
    return [finding("phone_not_answering", { device: serial, why: errorText(error) })];
  }
}

const HEALTH: Record<Health["state"], FindingCode> = {
  online: "phone_ok",
  booting: "phone_booting",
  locked: "phone_locked",
  low_battery: "phone_low_battery",
  hot: "phone_hot",
  low_storage: "phone_low_storage",
};

const LOST: Partial<Record<AccountState, FindingCode>> = {
  banned: "account_banned",
  restricted: "account_restricted",
  logged_out: "account_logged_out",
};

function accountFinding({ account, appVersion }: FoundAccount, status: SiteStatus | null): Finding {
  const unknown = status?.worksite?.unknownScreens.find((one) => one.account === account);
  if (unknown) {
    return finding("account_unknown_screen", {
      account,
      version: appVersion ?? "?",
      window: unknown.window,
      fingerprint: unknown.fingerprint,
    });
  }
  const known = status?.worksite?.accounts.find((one) => one.account === account)?.state;
  const lost = known && LOST[known];
  return finding(lost ?? "account_ok", { account, version: appVersion ?? "?" });
}

function contactsFinding(device: string, count: number | null): Finding {
  if (count === null) return finding("contacts_unknown", { device });
  return count === 0 ? finding("contacts_none", { device }) : finding("contacts_saved", { device, count });
}
