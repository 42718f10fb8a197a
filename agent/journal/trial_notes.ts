/** The journal's notes of what was tried: with each phone, and with each version of the app. */
import type { Trial } from "shared/agent_protocol.ts";
import { deviceOf, type JournalTables } from "./journal_tables.ts";

/** This many proven sends make a version of the app known to the site. */
const ENOUGH_PROVEN = 3;
/** Above this, versions that no phone has and that were never proven are forgotten. */
const MOST_VERSIONS = 500;

export class TrialNotes {
  #tables: JournalTables;
  /** In memory, because each inventory reads it for each device. */
  #trials: Map<string, Trial>;
  /** "app version" of each that has to be proven; in memory, because each pull reads it for each device. */
  #unproven: Set<string>;

  constructor(tables: JournalTables) {
    this.#tables = tables;
    this.#trials = this.#readTrials();
    this.#unproven = this.#readUnproven();
  }

  /** Returns what was tried with the device: a send that its chat proved, at least a rehearsal, or nothing. */
  of(device: string): Trial {
    return this.#trials.get(device) ?? "none";
  }

  /** Notes that a rehearsal of the device passed, with an app in a version; null = its version is not known. */
  rehearsed(device: string, { app, version }: { app: string; version: string | null }): void {
    const { run, now, write } = this.#tables;
    write(() => {
      run(
        `INSERT INTO device_trials (device, rehearsed_at) VALUES (?1, ?2)
         ON CONFLICT (device) DO UPDATE SET rehearsed_at = ?2`,
        device,
        now(),
      );
      if (version === null) return;
      run(
        `INSERT INTO app_versions (app, version, rehearsed) VALUES (?1, ?2, 1)
         ON CONFLICT (app, version) DO UPDATE SET rehearsed = 1`,
        app,
        version,
      );
    });
    this.#trials = this.#readTrials();
  }

  /** Notes a delivery whose chat proved it. Only the first one of a device is written. */
  sent(token: string, phone: string): void {
    const { get, run, now } = this.#tables;
    const device = deviceOf(
      String(get("SELECT account FROM deliveries WHERE token = ? AND phone = ?", token, phone)?.account),
    );
    if (this.of(device) === "proven") return;
    run(
      `INSERT INTO device_trials (device, proven_at) VALUES (?1, ?2)
       ON CONFLICT (device) DO UPDATE SET proven_at = ?2`,
      device,
      now(),
    );
    this.#trials.set(device, "proven");
  }

  /**
   * Notes the app's version on a device. Returns whether it differs from the last one seen there. A version that came
   * this way has to be proven; one that the device was first seen with has not.
   */
  noteAppVersion(device: string, app: string, version: string): boolean {
    const { get, run, write } = this.#tables;
    const known = get("SELECT version FROM device_apps WHERE device = ? AND app = ?", device, app)?.version;
    if (known === version) return false;
    const isNew = known !== undefined;
    write(() => {
      run(
        `INSERT INTO device_apps (device, app, version) VALUES (?1, ?2, ?3)
         ON CONFLICT (device, app) DO UPDATE SET version = ?3`,
        device,
        app,
        version,
      );
      run(
        `INSERT INTO app_versions (app, version, arrived) VALUES (?1, ?2, ?3)
         ON CONFLICT (app, version) DO UPDATE SET arrived = max(arrived, ?3)`,
        app,
        version,
        isNew ? 1 : 0,
      );
      run(
        `DELETE FROM app_versions WHERE proven < ?1 AND (SELECT count(*) FROM app_versions) > ?2
           AND (app, version) NOT IN (SELECT app, version FROM device_apps)`,
        ENOUGH_PROVEN,
        MOST_VERSIONS,
      );
    });
    this.#unproven = this.#readUnproven();
    return isNew;
  }

  /** Returns whether the device has ever said in which version it has the app. */
  hasAppVersion(device: string, app: string): boolean {
    const sql = "SELECT 1 FROM device_apps WHERE device = ? AND app = ?";
    return this.#tables.get(sql, device, app) !== undefined;
  }

  /** Notes a proven send with the app in this version. Writes nothing once there are enough. */
  noteProven(app: string, version: string): void {
    const { get, run, write } = this.#tables;
    const found = get("SELECT proven FROM app_versions WHERE app = ? AND version = ?", app, version);
    if (Number(found?.proven ?? 0) >= ENOUGH_PROVEN) return;
    write(() => {
      run(
        `INSERT INTO app_versions (app, version, proven) VALUES (?1, ?2, 1)
         ON CONFLICT (app, version) DO UPDATE SET proven = proven + 1`,
        app,
        version,
      );
    });
    this.#unproven = this.#readUnproven();
  }

  /** Returns whether a phone of this site has shown the screens of this version: in a rehearsal, or a proven send. */
  isSeen(app: string, version: string): boolean {
    const sql = "SELECT 1 FROM app_versions WHERE app = ? AND version = ? AND (proven > 0 OR rehearsed = 1)";
    return this.#tables.get(sql, app, version) !== undefined;
  }

  /** Returns whether the version came to a phone of this site by a change, and too few sends with it are proven. */
  isUnproven(app: string, version: string): boolean {
    return this.#unproven.has(`${app} ${version}`);
  }

  #readTrials(): Map<string, Trial> {
    const found = this.#tables.all("SELECT device, proven_at FROM device_trials");
    return new Map(
      found.map(({ device, proven_at }) => [String(device), proven_at === null ? "rehearsed" : "proven"]),
    );
  }

  #readUnproven(): Set<string> {
    const sql = "SELECT app, version FROM app_versions WHERE arrived = 1 AND proven < ?";
    return new Set(this.#tables.all(sql, ENOUGH_PROVEN).map(({ app, version }) => `${app} ${version}`));
  }
}
