/** Runs two contestants in turn, so that other load on the machine affects both. */
import { type Figure, median } from "../figure.ts";

export interface Run {
  seconds: number;
  /** Processor time of all processes of that side. */
  cpuSeconds: number;
}

export interface Contest {
  ours: Run[];
  peer: Run[];
}

/** Runs ours, peer, ours, peer …; a round is one of each. */
export async function inTurn(
  rounds: number,
  runOurs: () => Promise<Run>,
  runPeer: () => Promise<Run>,
): Promise<Contest> {
  const contest: Contest = { ours: [], peer: [] };
  for (let round = 0; round < rounds; round++) {
    contest.ours.push(await runOurs());
    contest.peer.push(await runPeer());
  }
  return contest;
}

/** Yields medians of work per second and per CPU second, and the median of the rounds' ratios, ours to the peer's. */
export function* contestFigures(
  peerName: string,
  { ours, peer }: Contest,
  work: { amount: number; unit: string; bar?: Figure["bar"] },
): Generator<Figure> {
  const { amount, unit, bar } = work;
  for (const [name, runs] of [["ours", ours], [peerName, peer]] as const) {
    yield { name, value: median(runs.map(({ seconds }) => amount / seconds)), unit: `${unit}/s` };
    const perCpu = median(runs.map(({ cpuSeconds }) => amount / cpuSeconds));
    yield {
      name: `${name}, by processor time of all its processes`,
      value: perCpu,
      unit: `${unit} a CPU second`,
    };
  }
  const ratios = ours.map(({ seconds }, round) => peer[round].seconds / seconds);
  const range = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
  yield { name: `ours to ${peerName}, rounds ${range}`, value: median(ratios), unit: "×", bar };
}
