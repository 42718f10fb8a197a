/** The status of a running agent in AGENT_DIR/status.json, for `status` and `doctor`. */
import process from "node:process";
import { z } from "zod";
import { accountStateSchema, deviceStateSchema, unknownScreenSchema } from "shared/agent_protocol.ts";
import type { DevicePool } from "../devices/device_pool.ts";
import type { Journal } from "../journal/journal.ts";
import type { SiteScreens } from "../screens/site_screens.ts";

const at = z.int();

/** The facts of the working site. Null in a status = it does not work at the moment. */
const worksiteSchema = z.object({
  edge: z.object({
    isConnected: z.boolean(),
    /** When the present connection began or the last one ended; null before the first. */
    since: at.nullable(),
    /** When the edge's last frame came. */
    heardAt: at.nullable(),
    /** Why the last connection or the last try ended. */
    why: z.string().nullable(),
  }),
  devices: z.array(z.object({ device: z.string(), model: z.string(), state: deviceStateSchema })),
  accounts: z.array(z.object({ account: z.string(), state: accountStateSchema })),
  /** Accounts that send nothing because their app shows a screen that no screen file knows. */
  unknownScreens: z.array(unknownScreenSchema.extend({ account: z.string() })),
  /** The site's own screen files, and those that are damaged and not used. */
  screens: z.object({
    files: z.array(z.string()),
    ignored: z.array(z.object({ file: z.string(), why: z.string() })),
  }),
  /** Outcomes that the edge has not acknowledged. */
  waitingOutcomes: z.int(),
  journal: z.object({ counter: z.int(), leased: z.int(), tapping: z.int() }),
});
export type Worksite = z.infer<typeof worksiteSchema>;

export function worksiteOf(
  edge: Worksite["edge"],
  { pool, journal, screens }: { pool: DevicePool; journal: Journal; screens: SiteScreens },
): Worksite {
  const { devices, accounts } = pool.inventory();
  const { leased = 0, tapping = 0, ...outcomes } = journal.countByState();
  return {
    edge: { ...edge },
    devices: devices.map(({ device, model, state }) => ({ device, model, state })),
    accounts: accounts.map(({ account, state }) => ({ account, state })),
    unknownScreens: accounts.flatMap(({ account, unknownScreen }) =>
      unknownScreen ? [{ account, ...unknownScreen }] : []
    ),
    screens: { files: screens.present.files.map(({ name }) => name), ignored: screens.present.ignored },
    waitingOutcomes: Object.values(outcomes).reduce((sum, count) => sum + count, 0),
    journal: { counter: journal.counter, leased, tapping },
  };
}

const PHASES = [
  "starting",
  "enrolling",
  "working",
  "journal_not_writable",
  "draining",
  "ended",
] as const;

const siteStatusSchema = z.object({
  writtenAt: at,
  startedAt: at,
  pid: z.int(),
  version: z.string(),
  edgeUrl: z.string(),
  phase: z.enum(PHASES),
  site: z.object({ id: z.int(), name: z.string() }).nullable(),
  worksite: worksiteSchema.nullable(),
});
export type SiteStatus = z.infer<typeof siteStatusSchema>;

/** A running agent writes every few seconds. A status older than this has no writer. */
export const STATUS_MAX_AGE_MS = 20_000;

/** Returns the first thing that keeps a site from sending, or null. */
export function whyUnwell(status: SiteStatus | null, now: number): Unwell | null {
  if (status === null || status.phase === "ended") return "not_running";
  if (now - status.writtenAt > STATUS_MAX_AGE_MS) return "silent";
  if (status.phase === "journal_not_writable") return "journal_not_writable";
  if (status.phase === "draining") return "draining";
  if (!status.worksite?.edge.isConnected) return "not_connected";
  return status.worksite.devices.some(({ state }) => state === "online") ? null : "no_phone";
}
export type Unwell =
  | "not_running"
  | "silent"
  | "journal_not_writable"
  | "draining"
  | "not_connected"
  | "no_phone";

/** Replaces the status in one step: a reader never sees half of it. */
export async function writeStatus(agentDir: string, status: SiteStatus): Promise<void> {
  const path = statusPath(agentDir);
  await Deno.writeTextFile(`${path}.part`, `${JSON.stringify(status)}\n`, { mode: 0o600 });
  await Deno.rename(`${path}.part`, path);
}

/**
 * Returns the last status, or null when there is none, or one of another version. A killed process could not write its
 * end, so its status counts as ended.
 */
export async function readStatus(agentDir: string): Promise<SiteStatus | null> {
  let text: string;
  try {
    text = await Deno.readTextFile(statusPath(agentDir));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
  try {
    const status = siteStatusSchema.parse(JSON.parse(text));
    return isAlive(status.pid) ? status : { ...status, phase: "ended" };
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    // Signal 0 sends nothing; it only checks that the process exists (kill(2)).
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

function statusPath(agentDir: string): string {
  return `${agentDir}/status.json`;
}
