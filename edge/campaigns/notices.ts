/** Why a campaign stands where it does: from its counters and the fleet's state, without counting its deliveries. */
import { type CampaignStatus, EDITABLE_STATUSES, LIVE_STATUSES } from "shared/campaign.ts";
import type { CampaignNotice } from "shared/http_api.ts";
import { nextHour } from "../health/account_room.ts";
import { isWaived } from "../time/sending_hours.ts";
import type { AwaySite, Fleet, Hours } from "./fleet.ts";
import type { CampaignRow } from "../db/schema.ts";

/** Once sent they go by themselves: what the hours say of them is told. */
const GOING: readonly CampaignStatus[] = ["ready", ...LIVE_STATUSES];

/** What is known of a campaign besides its own row. */
export interface Surroundings {
  now: number;
  fleet: Fleet;
  /** Every live campaign of the same client, and perhaps of others, that has something queued. */
  inLine: readonly { id: number; client: number; sendAt: number }[];
  /** Why a breaker paused it, and when. */
  trip: { reason: string; since: number } | undefined;
  /** How many of its deliveries wait for the account they were given to. */
  parked: number;
  /** How many of its contacts a restore's lost time has reached. */
  reached: number;
  /** How many of them an away site holds, by site. */
  heldBySite: ReadonlyMap<number, number>;
  /** Rows of its running import taken in so far. */
  importedRows: number | undefined;
  /** Whether it advertises and has no composed words: once sent so, by an older release, it is leased to nobody. */
  isWordless: boolean;
  /** Whether its client said who advertises. */
  hasAdvertiser: boolean;
}

/** The notices of one campaign, worst first. */
export function noticesOf(
  row: CampaignRow,
  { now, fleet, inLine, trip, parked, reached, heldBySite, importedRows, isWordless, hasAdvertiser }:
    Surroundings,
): CampaignNotice[] {
  const notices: CampaignNotice[] = [];
  if (row.status === "paused") notices.push(pauseNotice(row, trip));
  if (reached > 0) notices.push({ code: "reached_in_lost_time", count: reached });
  const isWaiting = LIVE_STATUSES.includes(row.status) && row.queuedCount > 0;
  // Told alone: even without any other hindrance nothing of it would be sent.
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
    const count = heldBySite.get(site.id);
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
      other.client === row.client && other.id !== row.id && other.sendAt <= (row.sendAt ?? 0)
    );
    if (ahead.length > 0) notices.push({ code: "waiting_turn", count: ahead.length });
  }
  const told = row.sentCount + row.unknownCount;
  if (row.status === "ready" && told > 0) notices.push({ code: "told_before_sending", count: told });
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

/** Why no phone has room in its day: first what an administrator can change. */
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

/** The signals that decide whether the rest goes, as far as there are any. */
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

/** As KEEPS_HOURS of SQL. */
function keepsHours({ kind }: CampaignRow, { marketingKeeps, serviceKeeps }: Hours): boolean {
  return kind === "marketing" ? marketingKeeps : serviceKeeps;
}
