/** Bounds the wait for a hanging database, so that a probe and a scraper still get a response. */

/** Longest wait in milliseconds; balancers seldom wait longer. */
const DATABASE_ANSWERS_WITHIN_MS = 2_000;

/** Returns the result of `asked`, or `late` when that takes too long. */
export async function inTime<Answer, Late>(
  sleep: (ms: number, signal: AbortSignal) => Promise<void>,
  asked: Promise<Answer>,
  late: Late,
): Promise<Answer | Late> {
  const answered = new AbortController();
  const waited = sleep(DATABASE_ANSWERS_WITHIN_MS, answered.signal).then(() => late);
  return await Promise.race([asked, waited]).finally(() => answered.abort());
}
