import type { Fleet } from "./fleet.ts";
import type { LieSettings } from "./lies.ts";
import { ignoreKill } from "./system_commands.ts";
import type { VirtualPhone } from "./virtual_phone.ts";

/** What a person in the room, or a test in another process, can do to a phone. */
const CONTROLS: Record<string, (phone: VirtualPhone, argument: string) => void> = {
  unplug: (phone) => phone.unplug(),
  replug: (phone) => phone.replug(),
  offline: (phone) => phone.setAvailability("offline"),
  unauthorized: (phone) => phone.setAvailability("unauthorized"),
  reboot: (phone) => void phone.reboot().catch(ignoreKill),
  lock: (phone) => phone.lock(),
  battery: (phone, level) => phone.setBattery(numberWithin(level, 100)),
  ban: (phone, account) => phone.setAccountState(account, "banned"),
  restrict: (phone, account) => phone.setAccountState(account, "restricted"),
  logout: (phone, account) => phone.setAccountState(account, "loggedOut"),
  restore: (phone, account) => phone.setAccountState(account, "ok"),
  /** "com.whatsapp/0,+972501234567,text": a person answers in a chat. */
  receive: (phone, argument) => {
    const [account = "", number = "", ...text] = argument.split(",");
    phone.findAccount(account)?.receive(number.replace(/^\+/, ""), text.join(","));
  },
};

/**
 * Does what `host:simulate:<serial>:<action>[:<argument>]` says; serial * is every phone, and
 * `host:simulate:*:faults:<0–1>` changes how often phones lie. Throws RangeError when there is no such phone or act.
 */
export function control(fleet: Fleet, settings: LieSettings, request: string): void {
  const [, serial = "", action = "", argument = ""] = /^([^:]+):([^:]+)(?::([^]*))?$/.exec(request) ?? [];
  if (action === "faults") {
    settings.faults = numberWithin(argument, 1);
    return;
  }
  const phone = fleet.bySerial(serial);
  const phones = serial === "*" ? fleet.phones : phone ? [phone] : [];
  const act = Object.hasOwn(CONTROLS, action) ? CONTROLS[action] : undefined;
  if (!act || phones.length === 0) throw new RangeError(`Cannot simulate ${JSON.stringify(request)}`);
  for (const each of phones) act(each, argument);
}

function numberWithin(text: string, max: number): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= 0 && value <= max)) {
    throw new RangeError(`Cannot simulate with ${JSON.stringify(text)}: it must be 0 to ${max}`);
  }
  return value;
}
