/**
 * A process of light agents. It reads `mark` and `dump` on stdin, and prints how many sent hello and leased since
 * the mark.
 */
import { eachWord, nowMs, writeLine } from "./driver_words.ts";
import { LightAgent } from "./light_agent.ts";
import type { StormSite } from "./world.ts";

interface Options {
  edgeUrl: string;
  sendEveryMs: number;
  sites: StormSite[];
}

/** Output of `dump`: the send time of each report, in order, by campaign. */
export type ReportMoments = Record<number, number[]>;

const TURN_MS = 50;
/**
 * Delay between handshakes from this one machine, at the first start only: a thousand real sites are a thousand
 * machines.
 */
const FIRST_APART_MS = 5;

const { edgeUrl, sendEveryMs, sites }: Options = JSON.parse(await Deno.readTextFile(Deno.args[0]));
const moments: ReportMoments = {};
let hello = new Set<number>();
let leased = new Set<number>();
const agents = sites.map((site) =>
  new LightAgent(site, {
    edgeUrl,
    sendEveryMs,
    onReport: (campaign) => void (moments[campaign] ??= []).push(nowMs()),
    onHello: () => count(hello, site.id),
    onFirstLease: () => count(leased, site.id),
  })
);
agents.forEach((agent, index) => setTimeout(() => agent.run(), index * FIRST_APART_MS));
setInterval(() => agents.forEach((agent) => agent.turn()), TURN_MS);

await eachWord(async (word) => {
  if (word === "mark") {
    hello = new Set();
    leased = new Set();
  } else if (word === "count") {
    writeLine({ hello: hello.size, leased: leased.size });
  } else if (word === "dump") {
    await Deno.writeTextFile(Deno.args[1], JSON.stringify(moments));
    writeLine({ dumped: true });
  }
});
Deno.exit();

function count(set: Set<number>, site: number): void {
  set.add(site);
  if (set.size === sites.length) writeLine({ all: set === hello ? "hello" : "leased", at: nowMs() });
}
