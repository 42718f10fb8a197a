import type { InStatement, ResultSet, Row } from "@libsql/client/web";
import {
  type AdminAlert,
  type AdminAlerts,
  type AlertCause,
  type AlertItems,
  ALERTS_OF_A_KIND,
} from "shared/admin_api.ts";
import { DEAD_SOCKET_MS } from "shared/lease.ts";
import { WAITING } from "../approvals/waiting.ts";
import { findStalled } from "../campaigns/find_stalled.ts";
import type { EdgeContext } from "../context.ts";
import { query, rowsAs } from "../db/query.ts";
import { alertMessages } from "../db/schema.ts";
import { readBatch } from "../db/write_batch.ts";
import { DEVICE_NAME } from "../devices/device_name.ts";
import { HAS_GIVEN_BACK } from "../health/account_room.ts";
import { capacityArgs, DEVICE_WORKS } from "../health/capacity.ts";
import { UNCONFIRMED_REST } from "../health/rest_unconfirmed.ts";
import { settingSql } from "../settings/setting_sql.ts";
import { OLDER_DATABASE } from "../queue/older_database.ts";
import { untrustedRoom } from "../health/trust.ts";
import { NEEDED } from "../queue/send.ts";
import { statement } from "../db/statement.ts";
import { SCAN_SILENT_SINCE } from "../virus_scan/scan_upload.ts";
import { ALERT_TEXT } from "../text/alert_words.ts";
import { causeStep, causeTitle } from "../text/cause_words.ts";
import { QUIET_FIELDS, QUIETS, staysQuiet } from "./alert_quiet.ts";
import { toAlertMessage } from "./alert_message.ts";

const LATELY_MS = 24 * 60 * 60_000;
/** Unknown screens with a cause of their own. */
const MOST_SCREENS = 10;
/** A phone that restarts, or whose cable moved, comes back by itself before this. */
const BY_ITSELF_MS = 3 * 60_000;

/** One kind of trouble and the query of its rows. */
interface Trouble {
  code: AdminAlert["code"];
  type: AdminAlert["type"];
  /**
   * Returns `since`, and the values for the sentence and its links. Its arguments are :now, those of capacityArgs(),
   * :lately, :deadBefore, :stalled (what findStalled() returns) and :scans (whether uploads are scanned). `since` does not
   * change while the trouble lasts: browsers use it to know which alerts they have shown.
   */
  sql: string;
  /** Column with the reason, for a kind that has several: each is a cause of its own. */
  part?: string;
  /** Column with the number that the title counts. @default 1 for each row */
  amount?: string;
  /** Column with the site's name. */
  place?: "name" | "place";
}

/** A cause with what only the edge uses. */
export type PresentCause = Omit<AlertCause, "quiet" | "messages"> & {
  /** Names of its sites. */
  places: string[];
};

const ENROLLED = "s.revoked = 0 AND s.public_key IS NOT NULL";

/** Worst first. Each query uses an index, or a table as small as the fleet. */
const TROUBLES: readonly Trouble[] = [
  {
    code: "older_database",
    type: "error",
    sql: `SELECT value->>'at' AS since, value->>'site' AS site,
        (SELECT name FROM sites WHERE id = value->>'site') AS name FROM system WHERE key = '${OLDER_DATABASE}'`,
  },
  {
    code: "site_stopped",
    type: "error",
    part: "reason",
    place: "name",
    sql: `SELECT s.id AS site, s.name, s.stop_reason AS reason, NULL AS since FROM sites s
      WHERE s.revoked = 0 AND s.stopped = 1`,
  },
  {
    code: "site_gave_back",
    type: "error",
    place: "name",
    sql: `SELECT s.id AS site, s.name, sum(t.given - t.used) AS back, NULL AS since
      FROM sites s JOIN accounts a ON a.site = s.id JOIN account_days t ON t.account = a.id AND t.day = :day
      WHERE ${ENROLLED} AND ${HAS_GIVEN_BACK}
      GROUP BY s.id ORDER BY back DESC`,
  },
  {
    code: "site_away",
    type: "error",
    place: "name",
    sql: `SELECT s.id AS site, s.name, s.last_seen_at AS since,
        (SELECT count(*) FROM deliveries d
          WHERE d.site = s.id AND d.state = 'leased' AND d.acked_at IS NOT NULL) AS held
      FROM sites s WHERE ${ENROLLED} AND s.last_seen_at <= :deadBefore ORDER BY held DESC, s.last_seen_at`,
  },
  {
    code: "sites_owe_outcomes",
    type: "error",
    place: "name",
    sql: `SELECT s.id AS site, s.name, NULL AS since FROM sites s
      WHERE ${ENROLLED} AND s.answered_generation IS NOT (SELECT value FROM system WHERE key = 'generation')`,
  },
  {
    code: "no_device",
    type: "error",
    amount: "campaigns",
    sql: `SELECT count(*) AS campaigns, NULL AS since FROM campaigns
      WHERE status IN ('processing', 'active') AND queued_count > 0 AND NOT EXISTS (
        SELECT 1 FROM devices d JOIN sites s ON s.id = d.site JOIN accounts a ON a.device = d.id
        WHERE ${ENROLLED} AND ${DEVICE_WORKS} AND a.state = 'ok' AND a.trip IS NULL)
      HAVING count(*) > 0`,
  },
  // Which campaigns stand, and why, is read beside the other kinds.
  {
    code: "campaign_stalled",
    type: "error",
    part: "cause",
    sql: `SELECT value->>'campaign' AS campaign, value->>'name' AS name, value->>'cause' AS cause,
        value->>'siteName' AS "siteName", value->>'since' AS since FROM json_each(:stalled)`,
  },
  {
    code: "account_banned",
    type: "error",
    part: "state",
    place: "place",
    sql: `SELECT d.id AS device, s.id AS site, ${DEVICE_NAME} AS name, s.name AS place,
        a.state, ${settingSql("autoFailover")} AS moves, a.banned_at AS since
      FROM accounts a JOIN devices d ON d.id = a.device JOIN sites s ON s.id = a.site
      WHERE a.banned_at > :lately AND a.state IN ('banned', 'restricted') AND s.revoked = 0
      ORDER BY a.banned_at DESC`,
  },
  {
    code: "unknown_screen",
    type: "error",
    part: "fingerprint",
    place: "place",
    // The same screen on many phones is one cause. A site that names ever new screens gets one cause for all later ones.
    sql: `SELECT device, site, name, place, version, since,
        iif(dense_rank() OVER (ORDER BY first, print) <= ${MOST_SCREENS}, print, 'others') AS fingerprint
      FROM (SELECT d.id AS device, s.id AS site, ${DEVICE_NAME} AS name, s.name AS place, a.app_version AS version,
          a.unknown_since AS since, a.unknown_screen->>'fingerprint' AS print,
          min(a.unknown_since) OVER (PARTITION BY a.unknown_screen->>'fingerprint') AS first
        FROM accounts a JOIN devices d ON d.id = a.device JOIN sites s ON s.id = a.site
        WHERE a.unknown_screen IS NOT NULL AND ${ENROLLED} AND s.last_seen_at > :deadBefore AND d.stopped = 0)
      ORDER BY since DESC`,
  },
  {
    code: "scan_silent",
    type: "error",
    sql: `SELECT CAST(value AS INTEGER) AS since FROM system WHERE key = '${SCAN_SILENT_SINCE}' AND :scans`,
  },
  {
    code: "device_needs_hand",
    type: "warning",
    part: "state",
    place: "place",
    // A phone that is away for days was put away. A phone unseen because its site is away belongs to the site's own
    // alert.
    sql: `SELECT d.id AS device, s.id AS site, ${DEVICE_NAME} AS name, s.name AS place, d.state,
        d.state_since AS since
      FROM devices d JOIN sites s ON s.id = d.site
      WHERE ${ENROLLED} AND s.last_seen_at > :deadBefore AND d.stopped = 0 AND d.state <> 'online'
        AND d.state_since <= :now - ${BY_ITSELF_MS} AND (d.state <> 'offline' OR d.state_since > :lately)
      ORDER BY d.state_since`,
  },
  {
    code: "campaign_paused_by_rule",
    type: "warning",
    part: "signal",
    sql: `SELECT c.id AS campaign, c.name, t.signal, t.at AS since
      FROM campaigns c LEFT JOIN breaker_trips t ON t.id = c.trip
      WHERE c.status = 'paused' AND c.paused_by NOT IN ('client', 'admin') ORDER BY c.id DESC`,
  },
  {
    code: "account_rested",
    type: "warning",
    place: "place",
    sql: `SELECT d.id AS device, s.id AS site, ${DEVICE_NAME} AS name, s.name AS place,
        t.at AS since
      FROM accounts a JOIN breaker_trips t ON t.id = a.trip JOIN devices d ON d.id = a.device
      JOIN sites s ON s.id = a.site WHERE a.trip IS NOT NULL AND s.revoked = 0 ORDER BY t.at DESC`,
  },
  {
    code: "unconfirmed_rested",
    type: "warning",
    place: "name",
    sql: `SELECT s.id AS site, s.name, s.unconfirmed_rest AS why, s.unconfirmed_rest->>'at' AS since
      FROM sites s WHERE s.revoked = 0 AND ${UNCONFIRMED_REST} ORDER BY since DESC`,
  },
  {
    code: "accounts_unconfirmed",
    type: "warning",
    amount: "accounts",
    place: "name",
    sql: `SELECT s.id AS site, s.name, count(*) AS accounts, ${settingSql("unconfirmedPerDay")} AS most,
        NULL AS since
      FROM sites s JOIN accounts a ON a.site = s.id
      WHERE ${ENROLLED} AND s.last_seen_at > :deadBefore AND a.confirmed_at IS NULL AND a.trusted = 0
        AND a.state = 'ok' AND s.unconfirmed_rest IS NULL AND ${untrustedRoom("s.id")} <= 0
      GROUP BY s.id ORDER BY s.id`,
  },
  {
    code: "phone_moved",
    type: "warning",
    place: "place",
    // The phone arrived after it was gone from the other site: two phones with one serial number are no move. The
    // other columns of a row belong to the phone's last place.
    sql: `SELECT d.id AS device, s.id AS site, ${DEVICE_NAME} AS name, s.name AS place, b.name AS origin,
        max(CASE o.state WHEN 'offline' THEN o.state_since ELSE b.last_seen_at END) AS since,
        (SELECT sum(t.used) FROM accounts a JOIN account_days t ON t.account = a.id AND t.day = :day
          WHERE a.device = o.id) AS taken
      FROM devices d JOIN sites s ON s.id = d.site
        JOIN devices o ON o.key = d.key AND o.site <> d.site JOIN sites b ON b.id = o.site
      WHERE ${ENROLLED} AND s.last_seen_at > :deadBefore AND d.stopped = 0 AND d.state <> 'offline' AND taken > 0
        AND CASE o.state WHEN 'offline' THEN o.state_since <= d.state_since
          ELSE b.last_seen_at <= min(d.state_since, :deadBefore) END
      GROUP BY d.id ORDER BY since DESC`,
  },
  {
    code: "phone_at_two_sites",
    type: "warning",
    place: "place",
    // Each site treats it as its own phone. With max(), SQLite takes the other columns from the same row: the last
    // place.
    sql:
      `SELECT d.id AS device, s.id AS site, ${DEVICE_NAME} AS name, s.name AS place, max(d.state_since) AS since,
        (SELECT b.name FROM devices o JOIN sites b ON b.id = o.site WHERE o.key = d.key AND o.site <> d.site
          AND o.stopped = 0 AND o.state <> 'offline' AND b.revoked = 0 AND b.last_seen_at > :deadBefore
          ORDER BY o.id LIMIT 1) AS origin
      FROM devices d JOIN sites s ON s.id = d.site
      WHERE ${ENROLLED} AND s.last_seen_at > :deadBefore AND d.stopped = 0 AND d.state <> 'offline'
      GROUP BY d.key HAVING count(*) > 1 ORDER BY since DESC`,
  },
  {
    code: "number_on_two_phones",
    type: "warning",
    place: "place",
    sql:
      `SELECT d.id AS device, s.id AS site, ${DEVICE_NAME} AS name, s.name AS place, max(a.state_since) AS since
      FROM accounts a JOIN devices d ON d.id = a.device JOIN sites s ON s.id = a.site
      WHERE ${ENROLLED} AND s.last_seen_at > :deadBefore AND d.stopped = 0 AND d.state <> 'offline'
        AND a.state = 'ok' AND a.own_number IS NOT NULL
      GROUP BY a.own_number HAVING count(DISTINCT d.key) > 1 ORDER BY since DESC`,
  },
  {
    code: "import_failed",
    type: "warning",
    sql: `SELECT id AS file, file_name AS name, error, updated_at AS since FROM imports
      WHERE status = 'error' AND background AND updated_at > :lately ORDER BY id DESC`,
  },
  {
    code: "approval_waits",
    type: "warning",
    sql: `SELECT c.id AS campaign, c.name, u.username AS client,
        coalesce((SELECT a.asked_at FROM approvals a WHERE a.campaign = c.id AND a.revision = c.revision),
          c.pressed_at) AS since ${WAITING} ORDER BY since`,
  },
  {
    code: "plan_waits",
    type: "warning",
    part: "hold",
    sql: `SELECT c.id AS campaign, c.name, u.username AS client, c.plan_hold AS hold, c.updated_at AS since
      FROM campaigns c JOIN users u ON u.id = c.client
      WHERE c.status = 'scheduled' AND c.plan_hold IS NOT NULL AND u.disabled = 0 ORDER BY c.planned_at`,
  },
  {
    code: "series_waits",
    type: "warning",
    part: "hold",
    // One that its client stopped waits for nobody else.
    sql: `SELECT s.name AS series, u.username AS client, s.hold, s.updated_at AS since
      FROM series s JOIN users u ON u.id = s.client
      WHERE s.ended_at IS NULL AND s.hold IS NOT NULL AND s.hold <> 'stopped' AND u.disabled = 0 ORDER BY s.updated_at`,
  },
  {
    code: "replies_wait",
    type: "warning",
    amount: "waiting",
    // One row for each client, by the longest waiting reply: until a person decides, the recipient still gets
    // messages.
    sql: `SELECT u.username AS client, count(*) AS waiting, min(r.received_at) AS since, r.campaign
      FROM replies r JOIN users u ON u.id = r.client
      WHERE r.state = 'waiting' AND r.received_at <= :lately GROUP BY r.client ORDER BY since`,
  },
  {
    code: "quota_low",
    type: "warning",
    // For each client, the campaign that lacks the most messages. An administrator's own campaigns have no quota.
    sql: `SELECT max(${NEEDED}) - u.message_quota AS missing, c.id AS campaign, c.name, u.username AS client,
        NULL AS since FROM campaigns c JOIN users u ON u.id = c.client
      WHERE c.status = 'ready' AND c.test_of IS NULL AND ${NEEDED} > u.message_quota
        AND u.role = 'client' AND u.disabled = 0
      GROUP BY u.id ORDER BY c.id`,
  },
  {
    code: "alerts_undelivered",
    type: "warning",
    part: "channel",
    // The last attempt of each way out, a test included. A way that is no longer set up owes nothing.
    sql: `SELECT channel, state, max(tried_at) AS last, NULL AS since FROM alert_messages
      WHERE state <> 'sending' AND tried_at > :lately
      GROUP BY channel HAVING state IN ('failed', 'unknown') AND instr(:channels, channel) ORDER BY channel`,
  },
];

/** Kinds of alert with their weight, worst first. */
export const ALERT_TYPES: readonly Pick<Trouble, "code" | "type">[] = TROUBLES;

/**
 * Returns what needs a person now: worst first, a few of each kind, and the causes of all of them. An alert is read
 * from the state, so it ends by itself.
 */
export async function readAlerts(ctx: EdgeContext): Promise<AdminAlerts> {
  const args = await argsOf(ctx);
  const looks = TROUBLES.map(({ code, sql }) =>
    [code, statement(`${sql} LIMIT ${ALERTS_OF_A_KIND + 1}`, args)] as const
  );
  const found = await readBatch(ctx.db, {
    ...Object.fromEntries(looks) as Record<AdminAlert["code"], InStatement>,
    ...causeLooks(args),
    quiets: QUIETS,
    messages: query.select().from(alertMessages),
  });
  const quiets = rowsAs(found.quiets, QUIET_FIELDS);
  return {
    items: TROUBLES.flatMap((trouble) =>
      found[trouble.code].rows.slice(0, ALERTS_OF_A_KIND).map((row) => alertOf(trouble, row))
    ),
    cut: TROUBLES.flatMap(({ code }) => found[code].rows.length > ALERTS_OF_A_KIND ? [code] : []),
    causes: causesOf(found, args).map(({ places: _, ...cause }) => {
      const quiet = quiets.find((one) => one.cause === cause.cause);
      const isQuiet = quiet !== undefined && staysQuiet(quiet, cause, args.now);
      return {
        ...cause,
        quiet: isQuiet ? { kind: quiet.kind, at: quiet.at, by: quiet.by, until: quiet.until } : null,
        messages: found.messages.rows.filter((one) => one.cause === cause.cause && !one.gone).map(
          toAlertMessage,
        ),
      };
    }),
  };
}

/** Returns every present cause, worst first. */
export async function readCauses(ctx: EdgeContext): Promise<PresentCause[]> {
  const args = await argsOf(ctx);
  return causesOf(await readBatch(ctx.db, causeLooks(args)), args);
}

/** Returns a page of the single alerts of a cause; `cursor` is the number of alerts before it. */
export async function listAlertsOf(
  ctx: EdgeContext,
  { cause, cursor = 0, limit }: { cause: string; cursor?: number | undefined; limit: number },
): Promise<AlertItems> {
  const [code, part = null] = cause.split(":") as [string, string?];
  const trouble = TROUBLES.find((one) => one.code === code);
  if (trouble === undefined) return { items: [], nextCursor: null };
  const sql = `SELECT * FROM (${trouble.sql}) WHERE ${
    trouble.part ?? "NULL"
  } IS :part LIMIT :most OFFSET :cursor`;
  const { rows } = await ctx.db.execute(
    statement(sql, { ...await argsOf(ctx), part, cursor, most: limit + 1 }),
  );
  return {
    items: rows.slice(0, limit).map((row) => alertOf(trouble, row)),
    nextCursor: rows.length > limit ? cursor + limit : null,
  };
}

async function argsOf(ctx: EdgeContext) {
  const now = ctx.now();
  const { stalled, hasMore } = await findStalled(ctx);
  return {
    now,
    ...capacityArgs(now),
    lately: now - LATELY_MS,
    deadBefore: now - DEAD_SOCKET_MS,
    scans: Number(ctx.scan !== undefined),
    stalled: JSON.stringify(stalled),
    moreStalled: Number(hasMore),
    channels: Object.keys(ctx.outside?.send ?? {}).join(" "),
  };
}

/** Names of the reads of causes in a batch. */
type CauseLook = `causes of ${AdminAlert["code"]}`;

function causeLooks(args: Awaited<ReturnType<typeof argsOf>>): Record<CauseLook, InStatement> {
  return Object.fromEntries(TROUBLES.map(({ code, sql, part, amount, place }) => {
    const grouped = `SELECT ${part ?? "NULL"} AS part, count(*) AS alerts, sum(${amount ?? "1"}) AS count,
        min(since) AS since, max(since) AS newest,
        ${place ? `json_group_array(DISTINCT ${place})` : "'[]'"} AS places
      FROM (${sql}) GROUP BY 1 ORDER BY 3 DESC, 1`;
    return [`causes of ${code}`, statement(grouped, args)];
  })) as Record<CauseLook, InStatement>;
}

function causesOf(
  found: Record<CauseLook, ResultSet>,
  { moreStalled }: { moreStalled: number },
): PresentCause[] {
  return TROUBLES.flatMap(({ code, type }) =>
    found[`causes of ${code}`].rows.map((row): PresentCause => {
      const part = row.part === null ? null : String(row.part);
      const count = Number(row.count);
      const isLeast = code === "campaign_stalled" && moreStalled === 1;
      return {
        cause: part === null ? code : `${code}:${part}`,
        code,
        type,
        title: causeTitle(code, part, count, isLeast),
        step: causeStep(code, part),
        count,
        alerts: Number(row.alerts),
        since: idOf(row, "since"),
        newest: idOf(row, "newest"),
        places: JSON.parse(String(row.places)),
      };
    })
  );
}

function alertOf({ code, type, part }: Trouble, row: Row): AdminAlert {
  const reason = part === undefined ? null : row[part] ?? null;
  return {
    code,
    cause: reason === null ? code : `${code}:${reason}`,
    type,
    message: ALERT_TEXT[code](row),
    since: idOf(row, "since"),
    siteId: idOf(row, "site"),
    deviceId: idOf(row, "device"),
    campaignId: idOf(row, "campaign"),
    fileId: idOf(row, "file"),
  };
}

function idOf(row: Row, column: string): number | null {
  const value = row[column] ?? null;
  return value === null ? null : Number(value);
}
