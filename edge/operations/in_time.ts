/** A database that hangs answers neither a probe nor a scraper; both are told so. */

/** A balancer's own patience is seldom longer. */
export const DATABASE_ANSWERS_WITHIN_MS = 2_000;

/** What `asked` comes to, or `late` when that takes too long. */
export async function inTime<Answer, Late>(
  sleep: (ms: number, signal: AbortSignal) => Promise<void>,
  asked: Promise<Answer>,
  late: Late,
): Promise<Answer | Late> {
  const answered = new AbortController();
  const waited = sleep(DATABASE_ANSWERS_WITHIN_MS, answered.signal).then(() => late);
  return await Promise.race([asked, waited]).finally(() => answered.abort());
}
