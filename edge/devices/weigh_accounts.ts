import type { EdgeContext } from "../context.ts";
import type { AccountNow } from "./account_now.ts";
import { readDevices } from "./read_devices.ts";
import { localDay } from "../time/local_day.ts";
import { statement } from "../db/statement.ts";

const WEIGHED = `w AS MATERIALIZED (SELECT value->>'account' AS account, value->>'score' AS score,
    value->>'reason' AS reason, value->>'green' AS green, value->>'bornDay' AS born_day
  FROM json_each(:weighed))`;
// A day's score is its worst moment.
const PUT = `WITH ${WEIGHED} INSERT INTO account_scores (account, day, score, reason, green)
  SELECT account, :day, score, reason, green FROM w WHERE true
  ON CONFLICT (account, day) DO UPDATE SET green = min(green, excluded.green),
    reason = iif(excluded.score > score, excluded.reason, reason), score = max(score, excluded.score)`;
// Leave out today, which may still change, and days before a ban, which no longer count.
const HOLD = `WITH ${WEIGHED}, held AS MATERIALIZED (
    SELECT w.account, count(s.day) AS days FROM w LEFT JOIN account_scores s
      ON s.account = w.account AND s.day >= w.born_day AND s.day < :day AND NOT s.green GROUP BY w.account)
  UPDATE accounts SET held_days = held.days, weighed_day = :day FROM held
  WHERE accounts.id = held.account AND (held_days <> held.days OR weighed_day IS NOT :day)`;

/** Stores the worst risk of each account for the day, and records how many days its warm-up was held. */
export async function weighAccounts(ctx: EdgeContext): Promise<void> {
  const devices = await readDevices(ctx);
  const weighed = devices.flatMap((device) => device.accounts.map(weigh));
  const args = { day: localDay(ctx.now()), weighed: JSON.stringify(weighed) };
  await ctx.db.batch([PUT, HOLD].map((sql) => statement(sql, args)), "write");
}

function weigh({ id, risk, bornAt }: AccountNow) {
  return {
    account: id,
    score: risk.score,
    reason: risk.reasons[0],
    green: Number(risk.isGreen),
    bornDay: localDay(bornAt),
  };
}
