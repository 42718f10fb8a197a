/** Gauges of what all edges share: the queue, the fleet, and the database's file. */
import { readFleet } from "../campaigns/fleet.ts";
import type { EdgeContext } from "../context.ts";
import { type FilePlaces, readFileFigures } from "./file_figures.ts";
import { readFleetFigures } from "./fleet_figures.ts";
import { keep, type Kept, type KeptParts } from "./kept.ts";
import type { GaugeFigures, Metrics } from "./metrics.ts";
import { readQueueFigures } from "./queue_figures.ts";

export interface DatabaseGaugesParts extends KeptParts {
  /** Null where the database is remote. */
  files: FilePlaces | null;
}

/** The figures are read at most once in this time, for any number of scrapers. */
export const FIGURES_KEPT_MS = 5_000;
/** The phones' room is calculated for each account: 60 ms for 10,000 phones. */
const ROOM_KEPT_MS = 60_000;

/** Adds the gauges to `metrics` and returns a function that reads their figures; figures that are late are left out. */
export function addDatabaseGauges(
  metrics: Metrics,
  parts: DatabaseGaugesParts,
): (ctx: EdgeContext) => Promise<void> {
  const { files } = parts;
  const queue = keep(parts, FIGURES_KEPT_MS, (ctx) => readQueueFigures(ctx.db, ctx.now()));
  const fleet = keep(parts, FIGURES_KEPT_MS, (ctx) => readFleetFigures(ctx.db, ctx.now()));
  const room = keep(parts, ROOM_KEPT_MS, async (ctx) => (await readFleet(ctx)).devices);

  gauge("shigur_queue_deliveries", "Deliveries of live campaigns that wait.", queue, ({ queued }) => queued);
  gauge("shigur_leased_deliveries", "Deliveries of live campaigns at sites.", queue, (one) => one.leased);
  gauge("shigur_queue_oldest_seconds", "Age of the delivery due longest.", queue, (one) => one.oldestSeconds);
  gauge("shigur_sites", "Enrolled sites.", queue, ({ sites }) => ({ ...sites }), "state");
  gauge("shigur_phones", "Phones by the state their screen shows.", fleet, ({ phones }) => phones, "state");
  gauge("shigur_accounts", "Accounts by state.", fleet, ({ accounts }) => accounts, "state");
  gauge("shigur_sites_gave_back", "Sites that gave back too much.", fleet, (one) => one.sitesGaveBack);
  gauge("shigur_sending_open", "Whether a kind may go now.", fleet, (one) => one.withinHours, "kind");
  gauge("shigur_phones_ready", "Phones that could send now.", room, ({ all, withRoom }) => {
    return { ignored: all, kept: withRoom };
  }, "caps");
  const isUp = () => queue.value === null ? 0 : 1;
  metrics.gauge("shigur_database_up", "Whether the figures could be read.", isUp);
  const reads: Kept<unknown>[] = [queue, fleet, room];
  if (files !== null) {
    const file = keep(parts, FIGURES_KEPT_MS, (ctx) => readFileFigures(files, ctx.now()));
    gauge("shigur_database_bytes", "Size of the database's file and log.", file, (one) => one.databaseBytes);
    gauge("shigur_disk_free_bytes", "Room on the database's disk.", file, (one) => one.freeBytes);
    gauge("shigur_backup_age_seconds", "Age of the newest backup here.", file, (one) => one.backupAgeSeconds);
    reads.push(file);
  }
  return async (ctx) => {
    await Promise.all(reads.map((kept) => kept.refresh(ctx)));
  };

  function gauge<Value>(
    name: string,
    help: string,
    kept: Kept<Value>,
    read: (value: Value) => GaugeFigures,
    labelName?: string,
  ): void {
    metrics.gauge(name, help, () => kept.value === null ? null : read(kept.value), labelName);
  }
}
