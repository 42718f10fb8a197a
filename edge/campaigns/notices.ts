/** Why a campaign is in its present state, from its counters and the fleet's state, without counting its deliveries. */
import { type CampaignStatus, EDITABLE_STATUSES, LIVE_STATUSES } from "shared/campaign.ts";
import type { CampaignNotice, Estimate } from "shared/http_api.ts";
import { PARKED } from "shared/lease.ts";
import { STALL_MS, type StallCause } from "shared/standing.ts";
import { nextHour } from "../health/account_room.ts";
import { isWaived, type SendingHours } from "../time/sending_hours.ts";
import { instantOfHour, localDate } from "../time/local_day.ts";
import { endByRule, estimateEnd, isFirstMoment, measuredPace, type PaceMark } from "./estimate_end.ts";
import type { AwaySite, DevicesReady, Fleet, Hours } from "./fleet.ts";
import type { CampaignRow } from "../db/schema.ts";

/** Campaigns that send now, or will once a person sends them. Their notices include the sending hours. */
const GOING: readonly CampaignStatus[] = ["ready", ...LIVE_STATUSES];

/** The facts about a campaign outside its own row. */
export interface Surroundings {
  now: number;
  fleet: Fleet;
  /** Every live campaign of this client with queued deliveries; other clients' may be among them. */
  inLine: readonly InLine[];
  /** Of a running campaign: its queued row that goes first, or waits least. */
  next: NextRow | null;
  /** The longest wait of its queued rows, ms; 0 without a wait, and for a row that its sender may take at any time. */
  lastNotBefore: number;
  /** Of a running campaign that sent nothing lately: what connected sites hold of it. */
  silent: { site: string; count: number; since: number } | null;
  /** When a person last did something lately to it, or to the fleet: resumed it, started a phone. 0 = not lately. */
  actedAt: number;
  /** The oldest mark of its outcomes in the last minutes. */
  mark: PaceMark | null;
  /** The breaker that paused it: the reason, and since when. */
  trip: { reason: string; since: number } | undefined;
  /** How many of its deliveries wait for their assigned account. */
  parked: number;
  /** How many of its contacts may have been messaged in the time that a restore lost. */
  reached: number;
  /** How many of its deliveries each silent site holds, by site. */
  heldBySite: Readonly<Record<number, number>>;
  /** Rows of its running import that are done. */
  importedRows: number | undefined;
  /** True for an advertisement without composed text, as older releases sent them. Sites never lease it. */
  isWordless: boolean;
  /** True when its client has filled in the advertiser's details. */
  hasAdvertiser: boolean;
  /** True when its messages name an address on the internet for a refusal. */
  canRefuseOnline: boolean;
}

/** A live campaign that may be served before another. */
export interface InLine extends Pick<CampaignRow, "id" | "client" | "sendAt" | "kind"> {
  messages: number;
  hasPicture: boolean;
  /** Whether its text differs between recipients. */
  isPersonal: boolean;
  /** Whether the claim would choose it for a phone with room: its hours are open and a message of it is due. */
  isDue: boolean;
}

/** A queued row of a running campaign. */
export interface NextRow {
  notBefore: number;
  /** Why it is queued again; null for a row that was never leased. */
  reason: string | null;
  /** The account that it is left for until then. */
  awaits: number | null;
}

/** Returns the notices of one campaign, worst first. */
export function noticesOf(row: CampaignRow, around: Surroundings): CampaignNotice[] {
  const { now, fleet, inLine, trip, parked, reached, heldBySite, importedRows, isWordless } = around;
  const { hasAdvertiser, canRefuseOnline } = around;
  const notices: CampaignNotice[] = [];
  if (row.status === "paused") notices.push(pauseNotice(row, trip));
  if (reached > 0) notices.push({ code: "reached_in_lost_time", count: reached });
  const isWaiting = LIVE_STATUSES.includes(row.status) && row.queuedCount > 0;
  // Leave out the other reasons for waiting: without them the campaign would still send nothing.
  if (isWaiting && isWordless) notices.push({ code: "words_missing", count: row.queuedCount });
  const canSend = isWaiting && !isWordless;
  const hasPicture = row.image !== null;
  const devices = devicesFor({ kind: row.kind, hasPicture }, fleet);
  if (canSend && devices.all === 0) {
    const untried = devicesFor({ kind: "service", hasPicture }, fleet);
    notices.push(
      fleet.devices.all === 0
        ? { code: "no_device", cause: fleet.noDeviceCause }
        : untried.all === 0
        ? { code: "no_picture_account" }
        : { code: "waiting_for_rehearsal", count: row.queuedCount },
    );
  }
  if (canSend && devices.all > 0) notices.push(...oldAgents(row, fleet));
  if (canSend && fleet.isOlderDatabase) notices.push({ code: "older_database" });
  if (canSend && fleet.awaitsSites) notices.push({ code: "waiting_for_sites" });
  if (canSend && fleet.owesOutcomes) notices.push({ code: "waiting_for_outcomes" });
  if (canSend && fleet.isBackupCopy) notices.push({ code: "backup_copy" });
  if (canSend && fleet.isLeasedByNewer) notices.push({ code: "newer_release" });
  if (canSend && fleet.owesErasures) notices.push({ code: "waiting_for_erasures" });
  for (const site of fleet.awaySites) {
    const count = heldBySite[site.id];
    if (count !== undefined) notices.push(waitingForSite(site, count));
  }
  const keeps = GOING.includes(row.status) && keepsHours(row, fleet.hours);
  const isClosed = keeps && !isWaived(row) && !fleet.hours.isOpen;
  if (canSend && isClosed) {
    notices.push({ code: "outside_hours", count: row.queuedCount, until: fleet.hours.opensAt });
  }
  if (row.status === "ready" && isClosed) {
    notices.push({ code: "opens_later", until: fleet.hours.opensAt });
  }
  if (keeps && isWaived(row)) notices.push({ code: "hours_waived", since: row.hoursWaivedAt ?? undefined });
  if (canSend && row.pilotLast !== null) notices.push(pilotNotice(row));
  if (parked > 0) notices.push({ code: "waiting_for_account", count: parked });
  if (canSend && devices.all > 0 && devices.withDay === 0) {
    notices.push({ code: fullDayOf(fleet), count: row.queuedCount });
  } else if (canSend && !isClosed && devices.withDay > 0 && devices.withRoom === 0) {
    notices.push({ code: "hour_reached", count: row.queuedCount, until: nextHour(now) });
  }
  if (canSend && !isClosed && devices.withRoom > 0 && row.leasedCount === 0) {
    const ahead = inLine.filter((other) =>
      other.client === row.client && other.id !== row.id && (other.sendAt ?? 0) <= (row.sendAt ?? 0) &&
      // The claim passes over the others, so nobody waits for them.
      other.isDue && devicesFor(other, fleet).withRoom > 0 && (!other.isPersonal || fleet.takesItemTexts)
    );
    if (ahead.length > 0) notices.push({ code: "waiting_turn", count: ahead.length });
  }
  if (canSend && !isClosed && row.leasedCount === 0) notices.push(...waitOfRows(row, around));
  if (LIVE_STATUSES.includes(row.status) && !isWordless && !isClosed) {
    notices.push(...stallOf(row, around, devices, notices));
  }
  const writtenTo = row.sentCount + row.unknownCount;
  if (row.status === "ready" && writtenTo > 0) {
    notices.push({ code: "told_before_sending", count: writtenTo });
  }
  const isEditable = EDITABLE_STATUSES.includes(row.status);
  if (isEditable && row.kind === "marketing" && !hasAdvertiser) {
    notices.push({ code: "advertiser_missing" });
  } else if (isEditable && row.kind === "marketing" && !canRefuseOnline) {
    notices.push({ code: "no_online_refusal" });
  }
  if (row.unconsentedCount > 0) {
    notices.push({ code: "without_consent", count: row.unconsentedCount, since: row.sendAt ?? undefined });
  }
  if (row.unknownCount > 0) notices.push({ code: "unknown_deliveries", count: row.unknownCount });
  if (row.runningImport !== null) {
    notices.push({ code: "import_running", count: importedRows });
  } else if (isEditable && row.queuedCount + row.sentCount + row.unknownCount === 0) {
    notices.push({ code: "no_contacts" });
  }
  if (row.cappedCount > 0) notices.push({ code: "frequency_capped", count: row.cappedCount });
  if (row.valuelessCount > 0) notices.push({ code: "left_out_empty", count: row.valuelessCount });
  return notices;
}

/** Returns the notice that names the sites whose agents take no text for each recipient, as a personal message needs. */
function oldAgents(
  { sentParts, queuedCount: count }: CampaignRow,
  { takesItemTexts, sitesWithoutItemTexts: names }: Fleet,
): CampaignNotice[] {
  if (sentParts === null || names.length === 0) return [];
  return [{ code: takesItemTexts ? "some_agents_too_old" : "agents_too_old", count, site: names.join(", ") }];
}

/** Returns the counts of the devices that may send a campaign of this kind, with or without its picture. */
function devicesFor({ kind, hasPicture }: Pick<InLine, "kind" | "hasPicture">, fleet: Fleet): DevicesReady {
  if (kind === "marketing") return hasPicture ? fleet.triedPictureDevices : fleet.triedDevices;
  return hasPicture ? fleet.pictureDevices : fleet.devices;
}

/** Returns why no phone has room today. Causes that an administrator can change come first. */
function fullDayOf({ waitsForConfirmation, gaveBackTooMuch }: Fleet): CampaignNotice["code"] {
  if (waitsForConfirmation) return "waiting_for_confirmation";
  return gaveBackTooMuch ? "gave_back_too_much" : "cap_reached";
}

function pauseNotice(row: CampaignRow, trip: Surroundings["trip"]): CampaignNotice {
  const count = row.queuedCount;
  if (row.trip !== null) {
    return { code: "paused_by_rule", count, trip: row.trip, ...trip };
  }
  if (row.pausedBy === "client") return { code: "paused_by_client", count };
  return { code: row.pausedBy === "admin" ? "paused_by_admin" : "paused_by_rule", count };
}

/** Returns whether the texts were tried, and the rest waits for a person who chooses one. */
function awaitsChoice({ variantCount, winner, pilotUntil }: CampaignRow): boolean {
  return variantCount !== null && winner === null && pilotUntil !== null;
}

function pilotNotice(row: CampaignRow): CampaignNotice {
  const { pilotUntil, pilotCount, queuedCount } = row;
  if (awaitsChoice(row)) return { code: "choose_text", count: queuedCount, reason: waveSentence(row) };
  return pilotUntil === null
    ? { code: "pilot_wave", count: pilotCount ?? 0 }
    : { code: "pilot_wait", count: queuedCount, until: pilotUntil, reason: waveSentence(row) };
}

/** Returns the known signals that decide whether the rest is sent. */
function waveSentence({ failedCount, unknownCount, optedOutCount }: CampaignRow): string {
  const signals = [
    failedCount > 0 && (failedCount === 1 ? "אחת נכשלה" : `${failedCount} נכשלו`),
    unknownCount > 0 && (unknownCount === 1 ? "אחת במצב לא ידוע" : `${unknownCount} במצב לא ידוע`),
    optedOutCount > 0 && (optedOutCount === 1 ? "נמען אחד ביקש הסרה" : `${optedOutCount} נמענים ביקשו הסרה`),
  ].filter((signal) => signal !== false);
  return signals.length === 0 ? "עד כה אין כשלים ואין בקשות הסרה." : `עד כה ${signals.join(", ")}.`;
}

function waitingForSite(site: AwaySite, count: number): CampaignNotice {
  return { code: "waiting_for_site", site: site.name, count, since: site.lastSeenAt ?? undefined };
}

/** The same rule as KEEPS_HOURS in SQL. */
function keepsHours({ kind }: CampaignRow, { marketingKeeps, serviceKeeps }: Hours): boolean {
  return kind === "marketing" ? marketingKeeps : serviceKeeps;
}

/** Reasons of rows that people called back: they say nothing about the site. */
const CALLED_BACK: readonly (string | null)[] = [null, "campaign_paused", "recalled"];

/** Returns the notice of a campaign without a due row. */
function waitOfRows(row: CampaignRow, { now, next }: Surroundings): CampaignNotice[] {
  // A pilot wave has its own sentence, and parked rows theirs.
  if (next === null || next.notBefore <= now || next.notBefore >= PARKED || row.pilotLast !== null) return [];
  const code = next.awaits !== null ? "sender_wait" : next.reason === null ? "number_wait" : "retry_wait";
  return [{ code, count: row.queuedCount, until: next.notBefore }];
}

/** Notices that say why nothing goes: a campaign with one of them does not stand without a reason. */
const SAYS_WHY: readonly CampaignNotice["code"][] = [
  "paused_by_client",
  "paused_by_admin",
  "paused_by_rule",
  "words_missing",
  "no_device",
  "no_picture_account",
  "waiting_for_rehearsal",
  "agents_too_old",
  // The phones that have room may be theirs.
  "some_agents_too_old",
  "older_database",
  "waiting_for_sites",
  "waiting_for_outcomes",
  "waiting_for_erasures",
  "backup_copy",
  "newer_release",
  "outside_hours",
  "pilot_wait",
  "choose_text",
  "cap_reached",
  "waiting_for_confirmation",
  "gave_back_too_much",
  "hour_reached",
  "waiting_turn",
  "phones_busy",
  "retry_wait",
  "number_wait",
  "sender_wait",
  "stalled",
];

/** Returns whether the notices of a running campaign say why nothing of it goes. */
export function saysWhy(row: Pick<CampaignRow, "queuedCount">, notices: readonly CampaignNotice[]): boolean {
  return notices.some(({ code, count }) =>
    SAYS_WHY.includes(code) ||
    // These are about a part of the messages; they say why only when it is all that is left.
    (code === "waiting_for_site" && row.queuedCount === 0) ||
    (code === "waiting_for_account" && row.queuedCount === count)
  );
}

/**
 * Returns the notice of a campaign that sent nothing for STALL_MS though something could go: `stalled` with its cause,
 * or `phones_busy` while the phones send for others.
 */
function stallOf(
  row: CampaignRow,
  { now, fleet, next, silent, actedAt }: Surroundings,
  devices: DevicesReady,
  others: readonly CampaignNotice[],
): CampaignNotice[] {
  if (saysWhy(row, others)) return [];
  const since = standsSince(row, { fleet, actedAt, now });
  if (now - since < patience(fleet)) return [];
  if (silent !== null) {
    const { site, count, since } = silent;
    return [{ code: "stalled", cause: "held_silently", site, count, since }];
  }
  const count = row.queuedCount;
  if (count === 0 || devices.withRoom === 0) return [];
  if (next !== null && !CALLED_BACK.includes(next.reason)) {
    const isUnanswered = next.reason === "offer_expired" || next.reason === "offer_not_confirmed";
    return [{ code: "stalled", cause: isUnanswered ? "offers_unanswered" : "given_back", count, since }];
  }
  if (fleet.lastLeasedAt > now - patience(fleet)) return [{ code: "phones_busy", count }];
  return [{ code: "stalled", cause: "not_asking", count, since }];
}

/** A slow pace of the settings is no stall: two messages of one phone may be this far apart. */
export function patience({ capacity }: Pick<Fleet, "capacity">): number {
  return Math.max(STALL_MS, 2 * capacity.paceMs);
}

/** Returns the time from which on something of a running campaign could have gone, and nothing did. */
function standsSince(
  row: CampaignRow,
  { fleet, actedAt, now }: Pick<Surroundings, "fleet" | "actedAt" | "now">,
): number {
  const { hours } = fleet;
  const opened = keepsHours(row, hours) && !isWaived(row)
    ? instantOfHour(localDate(now), hours.rules.sendingOpensAt)
    : 0;
  return Math.max(
    row.lastSentAt ?? 0,
    row.sendAt ?? row.updatedAt,
    actedAt,
    opened,
    fleet.roomSince ?? 0,
    fleet.settingsAt,
    row.hoursWaivedAt ?? 0,
  );
}

/** Returns the measured pace of a running campaign, in messages a minute; null when it is not known. */
export function paceOf(row: CampaignRow, { now, mark }: Pick<Surroundings, "now" | "mark">): number | null {
  if (!LIVE_STATUSES.includes(row.status)) return null;
  const outcomes = row.sentCount + row.failedCount + row.unknownCount;
  return measuredPace({ outcomes, startedAt: row.sendAt, lastSentAt: row.lastSentAt }, mark, now);
}

/** Notices with which nothing goes until somebody or something outside the clock ends them. */
const NO_END: readonly CampaignNotice["code"][] = [
  "words_missing",
  "no_device",
  "no_picture_account",
  "waiting_for_rehearsal",
  "agents_too_old",
  "older_database",
  "waiting_for_sites",
  "waiting_for_outcomes",
  "waiting_for_erasures",
  "backup_copy",
  "newer_release",
  "waiting_for_account",
  "stalled",
];

/** Returns the hours that bind a campaign; null when none do. */
export function hoursThatBind(row: CampaignRow, { hours }: Fleet): SendingHours | null {
  return keepsHours(row, hours) && !isWaived(row) ? hours.rules : null;
}

/** Returns when a running campaign ends, or would end if a ready one were sent now; null while nothing can go. */
export function estimateOf(
  row: CampaignRow,
  around: Surroundings,
  notices: readonly CampaignNotice[],
): Estimate | null {
  const { now, fleet, inLine, lastNotBefore, heldBySite } = around;
  const isLive = LIVE_STATUSES.includes(row.status);
  if (!isLive && row.status !== "ready") return null;
  if (notices.some(({ code }) => NO_END.includes(code))) return null;
  // What a silent site holds does not go from elsewhere.
  const away = Object.values(heldBySite).reduce((sum, count) => sum + count, 0);
  const waiting = row.queuedCount + row.leasedCount - away;
  const pace = paceOf(row, around);
  if (awaitsChoice(row)) return null;
  if (waiting <= 0) return isLive && away === 0 ? { endsAt: now, by: "pace" } : null;
  const isStanding = saysWhy(row, notices);
  if (isLive && !isStanding && isFirstMoment(row.sendAt, pace, now)) {
    return { endsAt: endByRule(row.queuedCount + row.leasedCount, now), by: "rule" };
  }
  const isBefore = (other: Surroundings["inLine"][number]) =>
    other.client === row.client && other.id !== row.id &&
    (!isLive || (other.sendAt ?? 0) <= (row.sendAt ?? 0));
  const endsAt = estimateEnd({
    now,
    waiting,
    ahead: inLine.filter(isBefore).reduce((sum, { messages }) => sum + messages, 0),
    others: [...fleet.work].flatMap(([client, messages]) => client === row.client ? [] : [messages]),
    hours: hoursThatBind(row, fleet),
    capacity: row.kind === "marketing" ? fleet.triedCapacity : fleet.capacity,
    pace: isStanding ? null : pace,
    startsAt: pilotWait(row, now),
    lastNotBefore,
  });
  return endsAt === null ? null : { endsAt, by: pace === null || isStanding ? "capacity" : "pace" };
}

/** Returns until when the rest waits for a pilot wave; 0 without one. */
function pilotWait(
  { status, pilotUntil, pilotLast, pilotCount, pilotWaitMs }: CampaignRow,
  now: number,
): number {
  if (pilotUntil !== null) return pilotUntil;
  const isAhead = pilotLast !== null || (status === "ready" && pilotCount !== null);
  return isAhead ? now + (pilotWaitMs ?? 0) : 0;
}

/** Returns the cause that an alert names for a campaign that stands; null when it needs nobody, or has its own alert. */
export function stallCause(
  notices: readonly CampaignNotice[],
): { cause: StallCause; since: number | null } | null {
  for (const { code, cause, since } of notices) {
    if (code === "stalled" && cause !== undefined) return { cause, since: since ?? null };
    const alone = ALONE_WITH_ADMINS[code];
    if (alone !== undefined) return { cause: alone, since: null };
  }
  return null;
}

/** Causes that only an administrator can end, and that no other alert names. */
const ALONE_WITH_ADMINS: Partial<Record<CampaignNotice["code"], StallCause>> = {
  words_missing: "words_missing",
  backup_copy: "backup_copy",
  newer_release: "newer_release",
  waiting_for_erasures: "erasures_owed",
  waiting_for_rehearsal: "rehearsals_owed",
  agents_too_old: "item_texts_missing",
};
