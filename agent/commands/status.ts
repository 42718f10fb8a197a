import { MAX_SITE_DEVICES } from "shared/agent_protocol.ts";
import { readStatus, type SiteStatus, type Unwell, whyUnwell } from "../site/site_status.ts";
import { EXIT_CODE } from "../exit_error.ts";
import type { Command } from "./command.ts";
import { orForbidden } from "./forbidden.ts";

const VERDICTS: Record<Unwell | "well", string> = {
  well: "תקין: תוכנת האתר פועלת ומחוברת, ויש טלפון מוכן · well: running, connected, and a phone is ready",
  not_running: "תוכנת האתר לא פועלת · the agent does not run",
  silent: "תוכנת האתר אינה נותנת אות חיים · the agent gives no sign of life",
  journal_not_writable:
    "אי אפשר לכתוב ליומן: שום דבר לא נשלח · the journal cannot be written: nothing is sent",
  draining: "תוכנת האתר מסיימת ונעצרת · the agent finishes and stops",
  not_connected: "אין חיבור לשרת · not connected to the edge",
  no_phone: "אין טלפון מוכן · no phone is ready",
};

const TOO_MANY = `; the edge is told of ${MAX_SITE_DEVICES} at most, the others get no work`;

export const statusCommand: Command = {
  options: { json: { type: "boolean" } },

  async run({ config, options, clock, print }) {
    const status = await orForbidden(config.agentDir, () => readStatus(config.agentDir));
    const now = clock.now();
    const unwell = whyUnwell(status, now);
    if (options.json) print(JSON.stringify({ unwell, ageMs: status && now - status.writtenAt, status }));
    else [VERDICTS[unwell ?? "well"], ...(status ? linesOf(status, now) : [])].forEach(print);
    return unwell === null ? 0 : EXIT_CODE.unwell;
  },
};

function linesOf(status: SiteStatus, now: number): string[] {
  const { site, worksite } = status;
  const known = [
    ["site", site ? `${site.id} "${site.name}"` : "not enrolled yet"],
    [
      "agent",
      `version ${status.version}, process ${status.pid}, ${status.phase}, started ${
        ago(status.startedAt, now)
      }`,
    ],
    ["this was written", ago(status.writtenAt, now)],
  ];
  if (worksite === null) return table([...known, ["edge", status.edgeUrl]]);
  const { edge, devices, accounts, journal, screens, unknownScreens, waitingOutcomes } = worksite;
  const since = edge.since === null ? "" : ` since ${new Date(edge.since).toISOString()}`;
  const why = edge.isConnected || edge.why === null ? "" : `: ${edge.why}`;
  return table([
    ...known,
    ["edge", `${status.edgeUrl}, ${edge.isConnected ? "connected" : "not connected"}${since}${why}`],
    ["last word of the edge", edge.heardAt === null ? "never" : ago(edge.heardAt, now)],
    ["phones", counted(devices) + (devices.length > MAX_SITE_DEVICES ? TOO_MANY : "")],
    ["accounts", counted(accounts)],
    ["waiting outcomes", `${waitingOutcomes}`],
    ["journal", `counter ${journal.counter}, leased ${journal.leased}, tapping ${journal.tapping}`],
    [
      "screen files",
      `${screens.files.length} of this site${screens.files.map((name) => ` ${name}`).join("")}`,
    ],
    ...screens.ignored.map(({ file, why }) => [`ignored ${file}`, why]),
    ...unknownScreens.map(({ account, fingerprint, window, ids }) => [
      "unknown screen",
      `${account} stopped: ${fingerprint} in ${window}${ids.length > 0 ? `, new ids ${ids.join(" ")}` : ""}`,
    ]),
    ...devices.filter(({ state }) => state !== "online").map((
      { device, model, state },
    ) => [`phone ${device}`, `${model} ${state}`.trim()]),
  ]);
}

function table(rows: string[][]): string[] {
  return rows.map(([name, value]) => `  ${`${name}:`.padEnd(24)}${value}`);
}

function counted(list: { state: string }[]): string {
  const counts = new Map<string, number>();
  for (const { state } of list) counts.set(state, (counts.get(state) ?? 0) + 1);
  return [...counts].map(([state, count]) => `${count} ${state}`).join(", ") || "none";
}

function ago(at: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - at) / 1000));
  if (seconds < 120) return `${seconds} s ago`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min ago` : `${Math.round(seconds / 3_600)} h ago`;
}
