import type { Fleet } from "./fleet.ts";
import { type LieSettings, parseLieRates } from "../phone/lies.ts";
import { ignoreKill } from "../shell/system_commands.ts";
import type { VirtualPhone } from "../phone/virtual_phone.ts";

/** The acts of a person in the room, or of a test in another process, on a phone. */
const CONTROLS: Record<string, (phone: VirtualPhone, argument: string) => void> = {
  unplug: (phone) => phone.unplug(),
  unplugAtTap: (phone) => void (phone.isUnpluggedAtTap = true),
  replug: (phone) => phone.replug(),
  offline: (phone) => phone.setAvailability("offline"),
  unauthorized: (phone) => phone.setAvailability("unauthorized"),
  reboot: (phone) => void phone.reboot().catch(ignoreKill),
  lock: (phone) => phone.lock(),
  /** Gives the phone a PIN and locks it. Only `unpin` opens it again. */
  pin: (phone) => {
    phone.isPinSet = true;
    phone.lock();
  },
  unpin: (phone) => void (phone.isPinSet = false),
  mute: (phone) => void (phone.isMute = true),
  unmute: (phone) => void (phone.isMute = false),
  booting: (phone) => void (phone.isBooting = true),
  booted: (phone) => void (phone.isBooting = false),
  /** Joins the network at host:port, or leaves it when no address is given. */
  network: (phone, address) => phone.setNetwork(address || null),
  forget: (phone) => phone.forgetNetwork(),
  user: (phone, id) => void (phone.currentUser = numberWithin(id, 999_999)),
  charger: (phone, isOn) => void (phone.battery.isCharging = isOn === "on"),
  /** In °C. */
  heat: (phone, degrees) => void (phone.battery.temperatureTenths = 10 * numberWithin(degrees, 100)),
  /** Megabytes left on /data. */
  storage: (phone, free) => void (phone.freeKb = 1024 * numberWithin(free, 100_000)),
  /** The apps have this version now, and their screens other ids. */
  updateApps: (phone, version) => phone.updateApps(version),
  uninstall: (phone, account) => phone.uninstall(account),
  install: (phone, account) => phone.install(account),
  /** Gives its messaging apps another version, as an update overnight does. */
  app: (phone, version) => {
    if (!/^[\w.]{1,40}$/.test(version)) {
      throw new RangeError(`Cannot simulate app ${JSON.stringify(version)}`);
    }
    phone.appVersion = version;
  },
  battery: (phone, level) => phone.setBattery(numberWithin(level, 100)),
  ban: (phone, account) => phone.setAccountState(account, "banned"),
  restrict: (phone, account) => phone.setAccountState(account, "restricted"),
  logout: (phone, account) => phone.setAccountState(account, "loggedOut"),
  restore: (phone, account) => phone.setAccountState(account, "ok"),
  /** "com.whatsapp/0,+972501234567,text": a person writes in a chat. */
  receive: (phone, argument) => {
    const [account = "", number = "", ...text] = argument.split(",");
    const found = phone.findAccount(account);
    if (found) phone.receive(found, number.replace(/^\+/, ""), text.join(","));
  },
  /** "+972501234567,text": a recipient replies in each chat with the number. The chats count as closed. */
  reply: (phone, argument) => {
    const [number = "", ...text] = argument.split(",");
    const digits = number.replace(/^\+/, "");
    for (const account of phone.accounts.filter(({ chats }) => chats.includes(digits))) {
      account.receive(digits, text.join(","));
    }
  },
};

/**
 * Runs the act of `host:simulate:<serial>:<action>[:<argument>]`; the serial * means every phone.
 * `host:simulate:*:faults:<0–1>` changes how often phones lie, `*:lies:<name>=<0–1>,…` single rates.
 *
 * @throws {RangeError} when there is no such phone or act
 */
export function control(fleet: Fleet, settings: LieSettings, request: string): void {
  const [, serial = "", action = "", argument = ""] = /^([^:]+):([^:]+)(?::([^]*))?$/.exec(request) ?? [];
  if (action === "faults") {
    settings.faults = numberWithin(argument, 1);
    return;
  }
  if (action === "lies") return void Object.assign(settings.lies, parseLieRates(argument));
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
