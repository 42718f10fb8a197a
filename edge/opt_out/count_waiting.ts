/** SQL: how many replies to `campaign` wait for a person's decision, as `n`. */
export function countWaiting(campaign: string): string {
  return `SELECT count(*) AS n FROM replies WHERE campaign = ${campaign} AND state = 'waiting'`;
}
