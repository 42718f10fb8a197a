/**
 * Computes, from the drivers' records, the delay between a report and its arrival in each of the client's
 * browsers.
 */
import type { ReportMoments } from "./agents_driver.ts";
import type { ReceivedMoments } from "./browsers_driver.ts";

/**
 * Returns milliseconds, one value per report of the window and browser. Events carry a campaign's count, not a
 * report's id: report number k arrives with the first event that counts k or more.
 */
export function reportLatencies(
  reports: ReportMoments[],
  received: ReceivedMoments,
  window: { from: number; to: number },
): number[] {
  const leftAt = new Map<number, number[]>();
  for (const moments of reports) {
    for (const [campaign, list] of Object.entries(moments)) {
      leftAt.set(Number(campaign), [...(leftAt.get(Number(campaign)) ?? []), ...list]);
    }
  }
  for (const list of leftAt.values()) list.sort((a, b) => a - b);
  const latencies: number[] = [];
  for (const events of received) {
    const counted = new Map<number, number>();
    for (const [campaign, sent, at] of events) {
      const list = leftAt.get(campaign) ?? [];
      for (let no = counted.get(campaign) ?? 0; no < sent && no < list.length; no++) {
        if (list[no] >= window.from && list[no] < window.to) latencies.push(at - list[no]);
      }
      counted.set(campaign, Math.max(sent, counted.get(campaign) ?? 0));
    }
  }
  return latencies;
}
