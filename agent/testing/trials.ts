/** Runs deliveries through the whole agent on phones that lie. Compares each outcome with the phones' real taps. */
import { createHash } from "node:crypto";
import type { Outcome } from "shared/agent_protocol.ts";
import type { LieName, LieRates } from "../../simulator/phone/lies.ts";
import { seededRandom } from "../../simulator/phone/random.ts";
import type { Simulator } from "../../simulator/start_simulator.ts";
import type { FakeDelivery } from "./fake_edge.ts";
import { maskPhone } from "../log.ts";
import type { Tap } from "../../simulator/phone/tap_log.ts";
import { numbers, startTestSite } from "./site.ts";

export interface TrialOptions {
  lies: LieRates;
  /** Multiplies the rates of all lies that are not in `lies`. @default {0} */
  faults?: number;
  count: number;
  seed: string;
  isPicture: boolean;
}

export interface TrialResult {
  outcomes: Record<Outcome, number>;
  /** The reasons reported for all messages that were not sent. */
  reasons: Record<string, number>;
  /** Deliveries during which a phone lied. */
  lied: number;
  /** Numbers with more than one tap. */
  doubled: number;
  /** One sentence for each delivery whose outcome differs from the phones', and for each tap without a delivery. */
  wrong: string[];
}

/** After the tap, these lies can hide its result from every look. */
const WITHHOLD: readonly LieName[] = [
  "startIgnored",
  "wrongChat",
  "otherAccount",
  "dumpFails",
  "dumpStale",
  "dumpHangs",
  "focusNull",
  "dialogOverChat",
  "dialogHidesChat",
  "dialogSticks",
  "dialogLeft",
  "newDialog",
  "banned",
  "restricted",
  "loggedOut",
];
/** A picture has no draft: after the app was ended, nothing shows that it was not sent. */
const WITHHOLD_PICTURE: readonly LieName[] = [...WITHHOLD, "reboots"];

/** With more phones, two cores cannot keep up. With fewer deliveries for each, none has a chat before it. */
const MAX_DEVICES = 64;
const LEAST_EACH = 6;
const TEXT = "שלום 'לכולם'\n*מבצע* 🙂 & 100%";
const IMAGE = new Uint8Array([0xff, 0xd8, 0xff, 1, 2, 3]);
const IMAGE_HASH = createHash("sha256").update(IMAGE).digest("hex");
/** Far more than sixteen deliveries on one phone take. A delivery without an outcome by then never gets one. */
const LONGEST_MS = 3_600_000;
/** Longer than any hang on a phone. */
const LAST_TAP_MS = 35_000;

/** Sends one campaign to `count` numbers on up to 64 phones, one attempt each, and checks every outcome. */
export async function runTrials(options: TrialOptions): Promise<TrialResult> {
  const random = seededRandom(`history/${options.seed}`);
  const witness = new Witness();
  let simulator: Simulator | null = null;
  let lastCommand = 0;
  const accounts = [0, 10].map((user) => ({ app: "com.whatsapp", user, firstInstalledAt: 0 }));
  await using site = await startTestSite({
    edge: {
      queuesAgain: false,
      images: new Map([[IMAGE_HASH, IMAGE]]),
      lets: (frame) => {
        const lease = frame.type === "reportAck" ? frame.lease : frame;
        if (lease?.type === "lease") { for (const item of lease.items) addHistory(simulator!, item, random); }
        return true;
      },
    },
    phones: {
      devices: Math.min(MAX_DEVICES, Math.ceil(options.count / LEAST_EACH)),
      speed: 4,
      seed: options.seed,
      lies: options.lies,
      faults: options.faults,
      traits: () => ({ accounts }),
      onLie: (serial, lie) => witness.lied(serial, lie),
    },
    log(_level, event, fields = {}) {
      if (event === "delivery" || event === "looked_back") witness.settled(event, fields);
      if (event === "account_lost" || event === "unknown_screen") helpAccount(String(fields.account));
    },
  });
  simulator = site.simulator;

  /** Acts as a person who repairs the account and starts the device again. */
  function helpAccount(account: string): void {
    const [serial = "", app = "", user = ""] = account.split("/");
    site.simulator.phones.find((phone) => phone.serial === serial)!.setAccountState(`${app}/${user}`, "ok");
    site.clock.sleep(1_000).then(() =>
      site.edge.send({ type: "command", id: ++lastCommand, kind: "start", device: serial })
    );
  }

  const phones = numbers(options.count);
  site.edge.queue(1, { text: TEXT, ...(options.isPicture ? { image: IMAGE_HASH } : {}) }, phones);
  const settled = site.edge.until(() => {
    const { queued = 0, leased = 0 } = site.edge.states();
    return queued + leased === 0;
  });
  await Promise.race([settled, site.clock.sleep(LONGEST_MS)]);
  if (witness.sawHanging) await site.clock.sleep(LAST_TAP_MS);
  return judge([...site.edge.deliveries.values()], site.taps(), witness, options, (phone) => {
    return site.simulator.phones[0]!.isNotOnApp(phone.slice(1));
  });
}

/** Records the lies during each delivery: a device works on one at a time, and reports when it is done. */
class Witness {
  #sinceLast = new Map<string, Set<LieName>>();
  #during = new Map<string, Set<LieName>>();

  sawHanging = false;

  lied(serial: string, lie: LieName): void {
    this.sawHanging ||= lie.endsWith("Hangs");
    this.#sinceLast.set(serial, (this.#sinceLast.get(serial) ?? new Set()).add(lie));
  }

  settled(event: string, fields: Record<string, unknown>): void {
    if (event === "delivery" && fields.result === "doubt") return;
    const serial = String(fields.account).split("/")[0]!;
    this.#during.set(String(fields.phone), this.#sinceLast.get(serial) ?? new Set());
    this.#sinceLast.delete(serial);
  }

  during(phone: string): ReadonlySet<LieName> {
    return this.#during.get(maskPhone(phone)) ?? new Set();
  }
}

/** Adds earlier messages of both sides, some with the very same text: the agent must recognise the new ones. */
function addHistory(simulator: Simulator, item: { phone: string; account: string }, random: () => number) {
  const [serial = "", app = "", user = ""] = item.account.split("/");
  const phone = simulator.phones.find((each) => each.serial === serial)!;
  const account = phone.findAccount(`${app}/${user}`)!;
  const rows = Math.floor(random() * 6);
  for (let row = rows; row > 0; row--) {
    if (random() < 0.3) account.receive(item.phone.slice(1), "תודה");
    const at = new Date(phone.context.clock.now() - row * 600_000).toISOString();
    const text = random() < 0.5 ? TEXT : `הודעה קודמת ${row}`;
    account.addTap({ at, serial, account: account.key, phone: item.phone, text, image: null });
  }
}

function judge(
  deliveries: FakeDelivery[],
  taps: Tap[],
  witness: Witness,
  options: TrialOptions,
  isNotOnApp: (phone: string) => boolean,
): TrialResult {
  const result: TrialResult = {
    outcomes: { sent: 0, failed: 0, void: 0, unknown: 0 },
    reasons: {},
    lied: 0,
    doubled: 0,
    wrong: [],
  };
  const tapsTo = Map.groupBy(taps, ({ phone }) => phone);
  const image = options.isPicture ? IMAGE_HASH : null;
  for (const { phone, state, reports } of deliveries) {
    const lies = witness.during(phone);
    if (lies.size > 0) result.lied++;
    const own = tapsTo.get(phone) ?? [];
    tapsTo.delete(phone);
    if (own.length > 1) result.doubled++;
    if (state === "queued" || state === "leased") {
      result.wrong.push(`${phone}: no outcome, ${own.length} taps`);
      continue;
    }
    result.outcomes[state]++;
    const report = reports.at(-1);
    const reason = report?.reason ?? "";
    if (state !== "sent") result.reasons[reason] = (result.reasons[reason] ?? 0) + 1;
    const isRight = own.every((tap) =>
      tap.text === TEXT && tap.image === image && `${tap.serial}/${tap.account}` === report?.account
    );
    const withheld = (options.isPicture ? WITHHOLD_PICTURE : WITHHOLD).some((lie) => lies.has(lie));
    const isTrue = {
      sent: own.length === 1,
      failed: own.length === 0 && reason === "not_on_app" && isNotOnApp(phone),
      void: own.length === 0,
      unknown: own.length <= 1 && withheld,
    };
    if (!isTrue[state] || !isRight) {
      result.wrong.push(
        `${phone}: ${state} (${reason}), ${own.length} taps, ${isRight ? "right" : "wrong"} ones, ` +
          `told ${[...lies].join(" ")}`,
      );
    }
  }
  for (const [phone] of tapsTo) result.wrong.push(`${phone}: tapped, and no delivery of this run`);
  return result;
}
