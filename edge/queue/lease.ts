import type { InStatement, InValue } from "@libsql/client/web";
import type { EdgeFrameOf } from "shared/agent_protocol.ts";
import { composeText, type TextPart } from "shared/personal_text.ts";
import { LEASE_TTL_MS, MAX_LEASE_ITEMS } from "shared/lease.ts";
import type { EdgeContext } from "../context.ts";
import { IS_BACKUP_COPY } from "../db/copy_mark.ts";
import { LEASED_BY_NEWER } from "../db/release.ts";
import { roomArgs } from "../health/account_room.ts";
import { HOURS_ALLOW, hoursArgs } from "../time/sending_hours.ts";
import { settingSql } from "../settings/setting_sql.ts";
import { NOTE_GIVEN } from "../health/trust.ts";
import { ERASURES_OWED } from "./erasures_owed.ts";
import { CURRENT, FENCE, PULLED_CAMPAIGN, type SiteConnection, SupersededError } from "./fence.ts";
import { settle } from "../deliveries/settle.ts";
import { IS_OLDER_DATABASE } from "./older_database.ts";
import { OUTCOMES_OWED } from "../deliveries/outcomes_owed.ts";
import { progressWhere } from "../events/progress_event.ts";
import { removalToken } from "../personal/removal_token.ts";
import { randomHex } from "../keys/random_hex.ts";
import { awaitedArgs, SITES_UNHEARD } from "./start_wait.ts";
import { HAS_STARTED } from "./take_back.ts";
import { jsonOf, type RowAs, rowsAs } from "../db/query.ts";
import { accounts, campaigns, deliveries } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { type Results, rightAfter, ROWS_OF_STEP_BEFORE, writeBatch } from "../db/write_batch.ts";
import { SITE_ASKS } from "../health/rehearsals.ts";
import { ALWAYS_FITTING, lacksValue, MAX_LEASE_TEXT_BYTES, textBytes } from "../personal/sent_parts.ts";
import {
  CAN_SEND_MARKETING,
  CAN_SEND_PICTURES,
  MAX_PER_DEVICE,
  toRoomJson,
  usableAccounts,
} from "./usable_accounts.ts";
import { toWirePhone } from "../numbers/wire_phone.ts";
import { idsIf, KEEPS_SENDERS, leftArgs, leftForSenders, SENDER_WAIT_MS } from "./senders.ts";

export type LeaseFrame = EdgeFrameOf<"lease">;

export interface LeaseRequest extends SiteConnection {
  /** Hardware serials of the site's phones, and how many more deliveries each can take. */
  devices: readonly { id: string; room: number }[];
}

const DAY_MS = 24 * 60 * 60_000;
/** After a pull that found only suppressed rows, search at least this many due rows for suppressed ones. */
const SKIP_WINDOW = 500;
/** Waiting time of a number while a site holds it for the same client's other marketing: that outcome decides. */
const DEFER_MS = 60_000;
/** Limits the windows per pull, so that a list of suppressed numbers alone cannot hold one pull longer. */
const MAX_ROUNDS = 8;

interface Asked {
  /** SQL: a campaign, its client, and whether it advertises and is no test to oneself. */
  campaign: string;
  client: string;
  advertises: string;
  /** SQL: the fields that every recipient must have, as JSON; null when there are none. */
  required: string;
}
/** SQL condition: the number of row `d` is on the client's list or on the list for everybody. */
const isSuppressed = ({ client }: Asked) =>
  `EXISTS (SELECT 1 FROM suppressions s
  WHERE s.phone = d.phone AND s.client IN (0, ${client}))`;
/**
 * SQL condition: the client's other marketing reached the number of row `d` recently. A person may still resend an
 * unknown row.
 */
const isTooSoon = ({ campaign, client, advertises }: Asked) =>
  `(${advertises} AND EXISTS (SELECT 1 FROM recipients r
  WHERE r.client = ${client} AND r.phone = d.phone AND r.campaign <> ${campaign}
    AND r.last_marketing_at > :now - ${DAY_MS} * ${settingSql("frequencyCapDays")}))`;
/** SQL condition: a site holds the number of row `d` for the client's other marketing, whose outcome decides. */
const isInHandElsewhere = ({ campaign, client, advertises }: Asked, row = "d") =>
  `(${advertises} AND ${settingSql("frequencyCapDays")} > 0 AND EXISTS (
  SELECT 1 FROM deliveries o WHERE o.phone = ${row}.phone AND o.state = 'leased' AND o.campaign IN (
    SELECT id FROM campaigns
    WHERE client = ${client} AND kind = 'marketing' AND leased_count > 0 AND id <> ${campaign})))`;
/** SQL condition: row `d` lacks a value that the message of its campaign needs. */
const lacksItsValue = ({ required }: Asked) => lacksValue(required);
/** The same four at once: row `d` is not for anybody now. */
const isForNobody = (asked: Asked) =>
  `(${isSuppressed(asked)} OR ${isTooSoon(asked)} OR ${isInHandElsewhere(asked)} OR ${lacksItsValue(asked)})`;

/** The campaign `c` that a pull may choose. */
const CANDIDATE: Asked = {
  campaign: "c.id",
  client: "c.client",
  advertises: "(c.kind = 'marketing' AND c.test_of IS NULL)",
  required: "c.required_fields",
};
/** SQL condition: rows of campaign `c` are left for some account. In a pilot wave no row waits. */
const SOME_ARE_LEFT = `(c.pilot_last IS NULL
  AND EXISTS (SELECT 1 FROM deliveries w WHERE w.campaign = c.id AND w.awaits IS NOT NULL))`;
/** The same of the pulled campaign. SQLite evaluates it once per statement. */
const SOME_OF_PULLED_ARE_LEFT = `(SELECT ${SOME_ARE_LEFT} FROM campaigns c WHERE c.id = ${PULLED_CAMPAIGN})`;
/** SQL condition: rows of campaign `c` are left for accounts of this pull, and one of them can go now. */
const SOME_ARE_LEFT_FOR_PULL = `(${SOME_ARE_LEFT}
  AND EXISTS (WITH ${usableAccounts("c.image IS NULL", `(NOT ${SITE_ASKS} OR c.kind <> 'marketing')`)}
    SELECT 1 FROM usable CROSS JOIN deliveries d ON d.campaign = c.id AND d.awaits = usable.id
    WHERE d.state = 'queued' AND NOT ${isForNobody(CANDIDATE)}))`;
const PULLED_CLIENT = `(SELECT client FROM campaigns WHERE id = ${PULLED_CAMPAIGN})`;
const PULLED_PARTS = `(SELECT sent_parts FROM campaigns WHERE id = ${PULLED_CAMPAIGN})`;
/**
 * The pulled campaign. `advertises` is never null, because null would neither skip a row nor lease it. SQLite evaluates
 * it once per statement, so other campaigns pay nothing for the conditions after it.
 */
const PULLED: Asked = {
  campaign: PULLED_CAMPAIGN,
  client: PULLED_CLIENT,
  advertises: `(SELECT kind = 'marketing' AND test_of IS NULL FROM campaigns WHERE id = ${PULLED_CAMPAIGN})`,
  required: `(SELECT required_fields FROM campaigns WHERE id = ${PULLED_CAMPAIGN})`,
};
const SUPPRESSED = isSuppressed(PULLED);
const TOO_SOON = isTooSoon(PULLED);
const IN_HAND_ELSEWHERE = isInHandElsewhere(PULLED);
const VALUE_MISSING = lacksItsValue(PULLED);
/** SQL: the row of the pulled campaign as a table of CLAIM, which asks for it in a dozen places. */
const CHOSEN = `chosen AS MATERIALIZED (
    SELECT id, client, kind, test_of, image, pilot_last, sent_parts, required_fields
    FROM campaigns WHERE id = ${PULLED_CAMPAIGN})`;
/** The same as PULLED, from that table: a look at a table in memory instead of a search in two others. */
const OF_CHOSEN: Asked = {
  campaign: "(SELECT id FROM chosen)",
  client: "(SELECT client FROM chosen)",
  advertises: "(SELECT kind = 'marketing' AND test_of IS NULL FROM chosen)",
  required: "(SELECT required_fields FROM chosen)",
};

/** SQL condition: the report took fewer outcomes than it brought. The others may be of rows that are queued again. */
const REPORT_IS_INCOMPLETE = `${ROWS_OF_STEP_BEFORE} < :reported`;
const CHOOSE = choose("false");
const CHOOSE_AFTER_REPORT = choose(REPORT_IS_INCOMPLETE);

/**
 * Returns SQL that chooses the campaign of a pull; none, and so no lease, if `refusal` is true. An unchanged choice
 * is not written: most pulls find nothing, and a transaction without a change needs no disk write. Liveness comes
 * from heartbeats.
 */
function choose(refusal: string): string {
  return `WITH choice AS MATERIALIZED (SELECT CASE
  WHEN revoked OR stopped OR draining OR ${refusal}
    -- A restored database does not know all of its past yet.
    OR ${OUTCOMES_OWED}
    -- Erasures of the lost time are to be done again first.
    OR ${ERASURES_OWED}
    -- This is a backup's copy that no restore made ready.
    OR ${IS_BACKUP_COPY}
    -- Only newer releases may lease from this database.
    OR ${LEASED_BY_NEWER}
    -- A site has shown that this database was put back to an earlier state.
    OR ${IS_OLDER_DATABASE}
    -- An edge that starts waits for its sites to be heard.
    OR ${SITES_UNHEARD}
    THEN NULL
  ELSE (
    SELECT c.id FROM campaigns c JOIN users u ON u.id = c.client
    WHERE c.status IN ('processing', 'active') AND ${HOURS_ALLOW}
      -- Its client can no longer take it back.
      AND ${HAS_STARTED}
      -- A release that composed no words sent it: such advertising goes to nobody.
      AND (c.kind <> 'marketing' OR c.sent_text IS NOT NULL)
      -- Only newer agents take a text for each recipient.
      AND (c.sent_parts IS NULL OR sites.item_texts)
      -- A picture that none of these phones can send now would keep from them what they can send.
      AND (c.image IS NULL OR ${CAN_SEND_PICTURES})
      -- The same for marketing that phones may not send before a rehearsal.
      AND (c.kind <> 'marketing' OR ${CAN_SEND_MARKETING})
      -- Something is due, or was left for these accounts; of a pilot wave within the wave.
      AND CASE WHEN c.pilot_last IS NULL THEN EXISTS (
        SELECT 1 FROM deliveries d WHERE d.campaign = c.id AND d.state = 'queued' AND d.not_before <= :now)
        OR ${SOME_ARE_LEFT_FOR_PULL}
      ELSE EXISTS (SELECT 1 FROM deliveries d
        WHERE d.campaign = c.id AND d.state = 'queued' AND d.not_before = 0 AND d.id <= c.pilot_last) END
    -- The client that was served longest ago, then its oldest campaign.
    ORDER BY u.lease_turn, c.send_at, c.id LIMIT 1) END AS campaign
  FROM sites WHERE ${CURRENT})
  UPDATE sites SET turn_campaign = choice.campaign FROM choice
  WHERE ${CURRENT} AND turn_campaign IS NOT choice.campaign`;
}

/** DEFER looks at this many rows more than a pull has room for: for each that it takes out, one moves up. */
const MOVING_UP = 20;
/**
 * Returns SQL: the first :window + `more` due rows of the pulled campaign. With a bare `LIMIT :window` SQLite would
 * prepare the statement and its triggers again at every pull.
 */
const dueRows = (more: number) => firstDue(`(:window + ${more})`);
function firstDue(most: string | number): string {
  return `(SELECT id, phone, account, reason, awaits, not_before FROM deliveries
    WHERE campaign = ${PULLED_CAMPAIGN} AND state = 'queued' AND not_before <= :now
    ORDER BY not_before, id LIMIT ${most})`;
}

const SKIP = `UPDATE deliveries SET updated_at = :now,
    ${
  settle({
    state: "'skipped'",
    by: 0,
    reason:
      `(SELECT CASE WHEN ${SUPPRESSED} THEN 'opted_out' WHEN ${TOO_SOON} THEN 'frequency_cap' ELSE 'value_missing' END
        FROM (SELECT deliveries.phone AS phone) d)`,
  })
}
  WHERE id IN (SELECT d.id FROM ${dueRows(0)} d WHERE ${SUPPRESSED} OR ${TOO_SOON} OR ${VALUE_MISSING})
    AND state = 'queued' AND ${FENCE}`;
/** SQL condition: the text of the pulled campaign differs between recipients. Evaluated once per statement. */
const IS_PERSONAL = `(SELECT sent_parts IS NOT NULL FROM campaigns WHERE id = ${PULLED_CAMPAIGN})`;
/** SQL: an upper bound of the bytes of the text for row `d` of the pulled campaign. */
const TEXT_BYTES = textBytes(PULLED_PARTS);
const CHOSEN_TEXT_BYTES = textBytes("(SELECT sent_parts FROM chosen)");
/**
 * SQL: so many of the first due rows fit into one frame with their texts, beside what CLAIM_LEFT has leased. So many
 * that even the longest texts fit need no look. A table of its own: within CLAIM's conditions it would nest deeper than
 * SQLite before 3.46, and so libSQL, can read.
 */
const FITTING = `fitting AS MATERIALIZED (
    SELECT CASE WHEN (SELECT sent_parts IS NULL FROM chosen)
      OR (SELECT count(*) FROM slots) + (SELECT coalesce(sum(fresh), 0) FROM in_hand) <= ${ALWAYS_FITTING}
      THEN ${MAX_LEASE_ITEMS} ELSE (
      SELECT count(*) FROM (SELECT sum(${CHOSEN_TEXT_BYTES}) OVER (ORDER BY not_before, id ROWS UNBOUNDED PRECEDING) AS bytes
        FROM ${firstDue(`(SELECT count(*) FROM slots)`)} d)
      WHERE bytes <= ${MAX_LEASE_TEXT_BYTES} - (SELECT coalesce(sum(${CHOSEN_TEXT_BYTES}), 0) FROM deliveries d
        WHERE d.site = :site AND d.token = :token AND d.state = 'leased')) END AS n)`;
/**
 * SQL: rows of the pulled campaign that waited for their senders, whose time is over. The newest are looked at, so that
 * rows which are due for another try do not hide them.
 */
const WAITED = `waited AS MATERIALIZED (
    SELECT id FROM (SELECT id, awaits FROM deliveries
      WHERE campaign = ${PULLED_CAMPAIGN} AND state = 'queued' AND not_before > 0 AND not_before <= :now
      ORDER BY not_before DESC LIMIT ${SKIP_WINDOW})
    WHERE awaits IS NOT NULL)`;
const IS_IN_HAND_ELSEWHERE = isInHandElsewhere(PULLED, "deliveries");
// Without this, a site that is away and holds the head of one list would block the rest of another list. It also leaves
// rows to their senders: hidden from others, and claimed by `awaits`. A row is left once. After its wait it is due for
// every account, at its place in the list.
const DEFER = `WITH ${leftForSenders(dueRows(MOVING_UP), isForNobody(PULLED))}, ${WAITED},
  set_aside AS (
    SELECT d.id FROM ${dueRows(MOVING_UP)} d WHERE ${IN_HAND_ELSEWHERE}
    UNION ALL SELECT value FROM ${idsIf(SOME_OF_PULLED_ARE_LEFT, "waited")}
    UNION ALL SELECT value FROM ${idsIf(KEEPS_SENDERS, "left_for_sender")})
  UPDATE deliveries SET
    awaits = CASE WHEN NOT ${KEEPS_SENDERS} OR ${IS_IN_HAND_ELSEWHERE} THEN NULL
      ELSE coalesce(awaits, (SELECT account FROM left_for_sender l WHERE l.id = deliveries.id)) END,
    not_before = CASE WHEN ${IS_IN_HAND_ELSEWHERE} THEN :now + ${DEFER_MS}
      WHEN awaits IS NOT NULL THEN 0 ELSE :now + ${SENDER_WAIT_MS} END
  WHERE id IN (SELECT value FROM ${
  idsIf(`(${PULLED.advertises} OR ${SOME_OF_PULLED_ARE_LEFT} OR ${KEEPS_SENDERS})`, "set_aside")
})
    AND state = 'queued' AND ${FENCE}`;

/** Returns the SET of a lease to `account` (SQL). */
const setLeased = (account: string) =>
  `state = 'leased', by = 0, reason = NULL, token = :token, site = :site,
    is_new_to_site = deliveries.site IS NOT :site,
    account = ${account}, attempt = attempt + 1, leased_at = :now, leased_day = :day, acked_at = NULL,
    lease_until = :now + ${LEASE_TTL_MS}, tapped_at = NULL, awaits = NULL, updated_at = :now`;
/** SQL condition: the row may be leased. */
const MAY_LEASE = `deliveries.state = 'queued'
    -- The connection is the site's present one.
    AND ${FENCE}
    -- As CHOOSE asks: one mistake there must not lease a stopped campaign.
    AND EXISTS (SELECT 1 FROM campaigns c WHERE c.id = deliveries.campaign AND c.status IN ('processing', 'active'))`;

/** Returns the tables room, usable and untrusted: what devices and accounts can take of the campaign in `from` (SQL). */
const accountsFor = (from: string) =>
  usableAccounts(
    `(SELECT image IS NULL FROM ${from})`,
    `(NOT ${SITE_ASKS} OR (SELECT kind <> 'marketing' FROM ${from}))`,
  );
// What was left for these accounts goes first, within the same rooms. CLAIM finds them in hand. Mostly nothing is left:
// then SQLite reads none of the tables.
const CLAIM_LEFT = `WITH ${accountsFor(`campaigns WHERE id = ${PULLED_CAMPAIGN}`)},
  own AS MATERIALIZED (
    SELECT id, account, place, device FROM (
      SELECT *, row_number() OVER (PARTITION BY device ORDER BY nth, account_turn) AS place,
        sum(NOT is_trusted) OVER (ORDER BY nth, account ROWS UNBOUNDED PRECEDING) AS untrusted_place
      FROM (
        SELECT w.id, u.id AS account, u.device, u.is_trusted, u.account_turn, u.room,
          row_number() OVER (PARTITION BY u.id ORDER BY w.not_before, w.id) AS nth
        FROM usable u CROSS JOIN deliveries w ON w.id IN (
          SELECT d.id FROM deliveries d
          WHERE d.campaign = ${PULLED_CAMPAIGN} AND d.awaits = u.id AND d.state = 'queued'
            AND NOT ${isForNobody(PULLED)}
          ORDER BY d.not_before, d.id LIMIT ${MAX_PER_DEVICE}))
      WHERE nth <= room) o
    WHERE place <= (SELECT n FROM room r WHERE r.device = o.device)
      AND (is_trusted OR untrusted_place <= (SELECT room FROM untrusted))
    ORDER BY place, device LIMIT ${MAX_LEASE_ITEMS}),
  -- As many as one frame carries.
  fits AS MATERIALIZED (
    SELECT id FROM (SELECT id, sum(iif(${IS_PERSONAL}, ${TEXT_BYTES}, 0))
        OVER (ORDER BY place, device ROWS UNBOUNDED PRECEDING) AS bytes FROM own d)
    WHERE bytes <= ${MAX_LEASE_TEXT_BYTES})
  UPDATE deliveries SET ${setLeased("(SELECT account FROM own WHERE own.id = deliveries.id)")}, not_before = 0
  WHERE deliveries.id IN (SELECT value FROM ${idsIf(SOME_OF_PULLED_ARE_LEFT, "fits")}) AND ${MAY_LEASE}`;

/** Returns SQL: the values of the row `row`, in a personal campaign. */
const valuesOf = (row: string) => `iif(${IS_PERSONAL}, ${row}.fields, NULL) AS fields`;
/** What CLAIM_LEFT leased. One row of nulls = nothing, no row = superseded. */
const LEFT_ROWS = `SELECT d.not_before, d.id, d.phone, d.attempt, a.key, ${
  valuesOf("d")
} FROM (SELECT id FROM sites WHERE ${CURRENT}) s
  LEFT JOIN deliveries d ON d.site = s.id AND d.token = :token AND d.state = 'leased'
  LEFT JOIN accounts a ON a.id = d.account`;

// No row = nothing is due, or no phone has room. Room means room on the phone, in its day, and in an account's day
// and hour.
const CLAIM = `WITH
  ${CHOSEN},
  ${accountsFor("chosen")},
  -- One slot for each delivery. Devices share what is due before one gets a second.
  slots AS MATERIALIZED (
    -- Places without gaps: untrusted accounts beyond their shared room are left out, and later places move up.
    SELECT account, place - max(0, untrusted_place - (SELECT room FROM untrusted)) AS no FROM (
      SELECT u.id AS account, u.is_trusted, row_number() OVER in_order AS place,
        sum(NOT u.is_trusted) OVER in_order AS untrusted_place
      FROM json_each('${JSON.stringify([...Array(MAX_PER_DEVICE).keys()])}') k
      JOIN room ON room.n > k.value
      -- Accounts of a device take turns.
      JOIN usable u ON u.device = room.device
        AND u.account_turn = k.value % u.accounts AND u.room > k.value / u.accounts
      -- One window for both counts: they share one sorting.
      WINDOW in_order AS (ORDER BY k.value, u.device ROWS UNBOUNDED PRECEDING))
    WHERE is_trusted OR untrusted_place <= (SELECT room FROM untrusted)
    ORDER BY no LIMIT (${MAX_LEASE_ITEMS} - (SELECT coalesce(sum(fresh), 0) FROM in_hand))),
  ${FITTING},
  -- As many rows from the head of the list as there are slots, and none that DEFER did not look at.
  due AS MATERIALIZED (
    SELECT id, row_number() OVER (ORDER BY not_before, id) AS no
    FROM (SELECT id, phone, not_before FROM deliveries
      WHERE campaign = ${PULLED_CAMPAIGN} AND state = 'queued' AND not_before <= :now
      ORDER BY not_before, id LIMIT max(0, min((SELECT count(*) FROM slots),
        :window + ${MOVING_UP} - ${ROWS_OF_STEP_BEFORE}, (SELECT n FROM fitting)))) d
    -- For the rows that moved up when SKIP took others out.
    WHERE NOT ${isSuppressed(OF_CHOSEN)}
      AND NOT ${isTooSoon(OF_CHOSEN)}
      AND NOT ${isInHandElsewhere(OF_CHOSEN)}
      AND NOT ${lacksItsValue(OF_CHOSEN)}
      -- A pilot wave takes the head of the list; what failed of it for a while goes with the rest.
      AND (SELECT c.pilot_last IS NULL OR (d.not_before = 0 AND d.id <= c.pilot_last)
        FROM chosen c))
  UPDATE deliveries SET ${setLeased("pick.account")}
  FROM (SELECT due.id, slots.account FROM due JOIN slots ON slots.no = due.no) AS pick
  WHERE deliveries.id = pick.id AND ${MAY_LEASE}
  RETURNING not_before, id, phone, attempt, (SELECT a.key FROM accounts a WHERE a.id = deliveries.account) AS key,
    ${valuesOf("deliveries")}`;

// The accounts of a device take turns, in order of last use.
const ACCOUNTS_SERVED = `UPDATE accounts SET last_leased_at = :now
  WHERE id IN (SELECT account FROM deliveries WHERE site = :site AND token = :token AND state = 'leased')`;
const CLIENT_SERVED = `UPDATE users SET lease_turn = (SELECT max(lease_turn) + 1 FROM users)
  WHERE id = ${PULLED_CLIENT}
    AND EXISTS (SELECT 1 FROM deliveries WHERE site = :site AND token = :token AND state = 'leased')`;
// The trigger of the counters sets the campaign's time, so an idle pull writes no event.
const PROGRESS = progressWhere(`id = ${PULLED_CAMPAIGN} AND updated_at = :now`);
const CAMPAIGN =
  `SELECT id, coalesce(sent_text, message) AS text, image, sent_parts AS parts FROM campaigns WHERE id = ${PULLED_CAMPAIGN}`;

const CLAIMED_FIELDS = {
  id: deliveries.id,
  notBefore: deliveries.notBefore,
  phone: deliveries.phone,
  attempt: deliveries.attempt,
  account: accounts.key,
  fields: jsonOf<Record<string, string>>(),
};
type Claimed = RowAs<typeof CLAIMED_FIELDS>;
const CAMPAIGN_FIELDS = {
  id: campaigns.id,
  text: campaigns.message,
  image: campaigns.image,
  parts: jsonOf<TextPart[]>(),
};

/**
 * Returns the steps of a pull, in the order in which they run; right after the step called `report`, if there is one.
 */
function pullSteps(args: Record<string, InValue>, report: string | undefined) {
  return {
    chosen: report === undefined
      ? statement(CHOOSE, args)
      : rightAfter(report, statement(CHOOSE_AFTER_REPORT, args)),
    claimedLeft: statement(CLAIM_LEFT, args),
    leftRows: statement(LEFT_ROWS, args),
    // These remove rows that must not be claimed from the due rows. They read the chosen campaign.
    skipped: statement(SKIP, args),
    deferred: statement(DEFER, args),
    claimed: rightAfter("deferred", statement(CLAIM, args)),
    // These read the claimed rows.
    accountsServed: statement(ACCOUNTS_SERVED, args),
    clientServed: statement(CLIENT_SERVED, args),
    givenNoted: statement(NOTE_GIVEN, args),
    campaign: statement(CAMPAIGN, args),
  };
}
type PullSteps = ReturnType<typeof pullSteps>;

/** A prepared pull: its first steps, and the function that reads their results. */
export interface Pull {
  steps: PullSteps;
  finish(results: Results<PullSteps>): Promise<LeaseFrame | null>;
}

/**
 * Offers a site deliveries of one campaign, as many as its devices have room for; returns null when nothing is due
 * for them. The site keeps each offer until it acknowledges it, gives it up, or LEASE_TTL_MS pass. Send the frame
 * after this.
 *
 * @throws SupersededError
 */
export async function leaseDeliveries(ctx: EdgeContext, request: LeaseRequest): Promise<LeaseFrame | null> {
  const now = ctx.now();
  const pull = preparePull(ctx, request, now);
  return await pull.finish(
    await writeBatch(ctx.db, { ...pull.steps, progressEvent: progress(request, now) }),
  );
}

/** The step of a report that takes its outcomes, with a pull right after it in the same transaction. */
interface ReportBefore {
  step: string;
  /** The number of rows that the step should move. */
  reported: number;
}

/**
 * Works as leaseDeliveries() does, for a transaction that the caller runs; `finish()` throws the errors of
 * leaseDeliveries(). After the step of a `report`, it leases nothing unless that step moved `reported` rows. The
 * caller writes the progress event, because it must come last.
 */
export function preparePull(
  ctx: EdgeContext,
  request: LeaseRequest,
  now: number,
  report?: ReportBefore,
): Pull {
  const token = randomHex(ctx, 16);
  const { site, epoch, devices } = request;
  const look = (window: number, now: number, report?: ReportBefore) => {
    const args = {
      site,
      epoch,
      token,
      now,
      ...roomArgs(now),
      ...leftArgs(now),
      ...hoursArgs(now),
      ...awaitedArgs(ctx),
      window,
      devices: toRoomJson(devices),
      reported: report?.reported ?? 0,
    };
    return pullSteps(args, report?.step);
  };

  async function finish(results: Results<PullSteps>, round = 1): Promise<LeaseFrame | null> {
    const { leftRows, skipped, deferred } = results;
    if (leftRows.rows.length === 0) throw new SupersededError(request);
    const left = leftRows.rows[0].id === null ? [] : rowsAs(leftRows, CLAIMED_FIELDS);
    const claimed = [...left, ...rowsAs(results.claimed, CLAIMED_FIELDS)];
    if (claimed.length + skipped.rowsAffected > 0) ctx.wakeOutbox();
    if (claimed.length > 0) {
      const { id: campaign, text, image, parts } = rowsAs(results.campaign, CAMPAIGN_FIELDS)[0]!;
      const frame = { type: "lease", token, ttlMs: LEASE_TTL_MS, campaign, image } as const;
      const sorted = claimed.sort(byQueueOrder);
      if (parts === null) return { ...frame, text, items: sorted.map(toItem) };
      // CLAIM takes no row without a text; an offer that never left returns to the queue.
      const items = sorted.flatMap((row) => {
        const own = composeText(parts, row.fields ?? {}, () => removalToken(ctx, { ...row, campaign }));
        return own === null ? [] : [{ ...toItem(row), text: own }];
      });
      if (items.length < sorted.length) {
        ctx.log.error("text_not_composed", { campaign, count: sorted.length - items.length });
      }
      return items.length === 0 ? null : { ...frame, items };
    }
    if (skipped.rowsAffected + deferred.rowsAffected === 0 || round === MAX_ROUNDS) return null;
    const again = ctx.now();
    const steps = { ...look(SKIP_WINDOW, again), progressEvent: progress(request, again) };
    return await finish(await writeBatch(ctx.db, steps), round + 1);
  }

  const room = devices.reduce((sum, device) => sum + Math.min(device.room, MAX_PER_DEVICE), 0);
  return { steps: look(room, now, report), finish };
}

function toItem({ phone, attempt, account }: Claimed): LeaseFrame["items"][number] {
  return { phone: toWirePhone(phone), attempt, account };
}

function progress({ site, epoch }: SiteConnection, now: number): InStatement {
  return statement(PROGRESS, { site, epoch, now });
}

/** SQLite returns rows in any order. */
function byQueueOrder(a: Claimed, b: Claimed): number {
  return a.notBefore - b.notBefore || a.id - b.id;
}
