/** Checks the site's own machine: identity, disk, and the running agent. */
import { statfs } from "node:fs/promises";
import { findExposure } from "shared/exposed_folder.ts";
import { ExitError } from "../exit_error.ts";
import { type Identity, readIdentity } from "../edge/identity.ts";
import { JournalDamagedError, JournalWriteError, openJournalFile } from "../journal/journal_file.ts";
import { errorText } from "../log.ts";
import { readSiteFiles } from "../screens/site_screens.ts";
import { readStatus, type SiteStatus, whyUnwell } from "../site/site_status.ts";
import { type Finding, finding } from "./words.ts";

/** A journal of 4,000 rows and a month's archive need less than this. */
const LOW_MB = 500;
const FULL_MB = 20;
const MB = 1024 * 1024;

/** Checks whether the site may write, and how much room it has. */
export async function checkDisk(agentDir: string): Promise<Finding> {
  const probe = `${agentDir}/doctor.part`;
  try {
    await Deno.mkdir(agentDir, { recursive: true, mode: 0o700 });
    await Deno.writeTextFile(probe, "written and removed by doctor\n");
    await Deno.remove(probe);
    const { bavail, bsize } = await statfs(agentDir);
    const freeMb = Math.floor(bavail * bsize / MB);
    return finding(freeMb < FULL_MB ? "disk_full" : freeMb < LOW_MB ? "disk_low" : "disk_ok", { freeMb });
  } catch (error) {
    return finding("disk_not_writable", { path: agentDir, why: errorText(error) });
  }
}

/** Checks whether another user of the machine can replace the site's folder by another. */
export async function checkPlace(agentDir: string): Promise<Finding[]> {
  const exposedBy = await findExposure(agentDir);
  return exposedBy === null ? [] : [finding("folder_exposed", { path: agentDir, by: exposedBy.path })];
}

/** Returns the site's identity. An unreadable one counts as none; a forbidden one is reported by the disk's check. */
export async function checkIdentity(
  agentDir: string,
): Promise<{ identity: Identity | null; findings: Finding[] }> {
  const path = `${agentDir}/identity.json`;
  let identity: Identity | null;
  try {
    identity = await readIdentity(agentDir);
  } catch (error) {
    const findings = error instanceof ExitError ? [finding("identity_damaged", { path })] : [];
    return { identity: null, findings };
  }
  if (identity === null) return { identity, findings: [finding("not_enrolled")] };
  const findings = [finding("enrolled", { id: identity.siteId, name: identity.siteName })];
  const { mode } = await Deno.stat(path);
  if (mode !== null && (mode & 0o077) !== 0) findings.push(finding("key_readable", { path }));
  return { identity, findings };
}

/** Checks whether an agent runs here, and returns its last status. */
export async function checkAgent(
  agentDir: string,
  now: number,
): Promise<{ status: SiteStatus | null; finding: Finding }> {
  const status = await readStatus(agentDir).catch(() => null);
  switch (whyUnwell(status, now)) {
    case "not_running":
    case "silent":
      return { status: null, finding: finding("agent_not_running") };
    case "journal_not_writable":
      return { status, finding: finding("journal_not_writable") };
    case "not_connected":
      return { status, finding: finding("agent_not_connected", { why: status?.worksite?.edge.why ?? "-" }) };
    case "draining":
    case "no_phone":
    case null:
      return { status, finding: finding("agent_runs", { version: status!.version }) };
  }
}

/** Checks the site's own screen files: the agent ignores a damaged one. */
export function checkScreens(agentDir: string): Finding[] {
  const { files, ignored } = readSiteFiles(agentDir);
  return [
    ...files.length > 0 ? [finding("screens_ok", { count: files.length })] : [],
    ...ignored.map(({ file, why }) => finding("screens_file_damaged", { file, why })),
  ];
}

/** Checks whether the journal is whole. Call it only while no agent runs. */
export async function checkJournal(agentDir: string, newId: () => string): Promise<Finding[]> {
  const path = `${agentDir}/journal.db`;
  if (!await Deno.stat(path).then(() => true, () => false)) return [];
  try {
    openJournalFile(path, newId()).close();
  } catch (error) {
    if (error instanceof JournalDamagedError) return [finding("journal_damaged", { path })];
    if (error instanceof JournalWriteError) return [finding("journal_not_writable")];
    // An agent that has just started holds it.
  }
  return [];
}
