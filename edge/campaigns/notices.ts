/** Why a campaign is in its present state, from its counters and the fleet's state, without counting its deliveries. */
import { type CampaignStatus, EDITABLE_STATUSES, LIVE_STATUSES } from "shared/campaign.ts";
import type { CampaignNotice } from "shared/http_api.ts";
import { nextHour } from "../health/account_room.ts";
import { isWaived } from "../time/sending_hours.ts";
import type { AwaySite, Fleet, Hours } from "./fleet.ts";
import type { CampaignRow } from "../db/schema.ts";

/** Campaigns that send now, or will once a person sends them. Their notices include the sending hours. */
const GOING: readonly CampaignStatus[] = ["ready", ...LIVE_STATUSES];

/** The facts about a campaign outside its own row. */
export interface Surroundings {
  now: number;
  fleet: Fleet;
  /** Every live campaign of this client with queued deliveries; other clients' may be among them. */
  inLine: readonly Pick<CampaignRow, "id" | "client" | "sendAt">[];
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
}

/** Returns the notices of one campaign, worst first. */
export function noticesOf(
  row: CampaignRow,
  { now, fleet, inLine, trip, parked, reached, heldBySite, importedRows, isWordless, hasAdvertiser }:
    Surroundings,
): CampaignNotice[] {
  const notices: CampaignNotice[] = [];
  if (row.status === "paused") notices.push(pauseNotice(row, trip));
  if (reached > 0) notices.push({ code: "reached_in_lost_time", count: reached });
  const isWaiting = LIVE_STATUSES.includes(row.status) && row.queuedCount > 0;
  // Leave out the other reasons for waiting: without them the campaign would still send nothing.
  if (isWaiting && isWordless) notices.push({ code: "words_missing", count: row.queuedCount });
  const canSend = isWaiting && !isWordless;
  const devices = row.image === null ? fleet.devices : fleet.pictureDevices;
  if (canSend && devices.all === 0) {
    notices.push({ code: fleet.devices.all === 0 ? "no_device" : "no_picture_account" });
  }
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
      other.client === row.client && other.id !== row.id && (other.sendAt ?? 0) <= (row.sendAt ?? 0)
    );
    if (ahead.length > 0) notices.push({ code: "waiting_turn", count: ahead.length });
  }
  const writtenTo = row.sentCount + row.unknownCount;
  if (row.status === "ready" && writtenTo > 0) {
    notices.push({ code: "told_before_sending", count: writtenTo });
  }
  const isEditable = EDITABLE_STATUSES.includes(row.status);
  if (isEditable && row.kind === "marketing" && !hasAdvertiser) {
    notices.push({ code: "advertiser_missing" });
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
  return notices;
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

function pilotNotice(row: CampaignRow): CampaignNotice {
  const { pilotUntil, pilotCount, queuedCount } = row;
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
