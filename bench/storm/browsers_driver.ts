/**
 * A process of browsers' live sockets. It reads `mark` and `dump` on stdin, and prints when all are open since the
 * mark.
 */
import { retryDelayMs } from "../../web/data/live_connection.ts";
import { eachWord, nowMs, writeLine } from "./driver_words.ts";
import type { StormBrowser } from "./world.ts";

interface Options {
  edgeUrl: string;
  browsers: StormBrowser[];
}

/** Output of `dump` for each socket: campaign, its sentCount, time of arrival. */
export type ReceivedMoments = [campaign: number, sent: number, at: number][][];

const FIRST_APART_MS = 3;

const { edgeUrl, browsers }: Options = JSON.parse(await Deno.readTextFile(Deno.args[0]));
const received: ReceivedMoments = browsers.map(() => []);
let open = new Set<number>();
browsers.forEach((browser, index) => setTimeout(() => connect(browser, index, 0), index * FIRST_APART_MS));

await eachWord(async (word) => {
  if (word === "mark") open = new Set();
  else if (word === "dump") {
    await Deno.writeTextFile(Deno.args[1], JSON.stringify(received));
    writeLine({ dumped: true });
  }
});
Deno.exit();

/** Reconnects like the page, and like it fetches everything again once the socket is open. */
function connect(browser: StormBrowser, index: number, tried: number): void {
  const headers = { cookie: `shigur_session=${browser.session}`, origin: edgeUrl };
  // Deno's constructor accepts headers; the DOM types used here do not have them.
  const Socket = WebSocket as unknown as new (url: string, options: { headers: typeof headers }) => WebSocket;
  const socket = new Socket(`${edgeUrl.replace("http", "ws")}/ws`, { headers });
  let next = tried + 1;
  socket.onopen = async () => {
    next = 0;
    const answer = await fetch(`${edgeUrl}/api/campaigns`, { headers }).catch(() => null);
    await answer?.body?.cancel();
    if (!answer?.ok || socket.readyState !== WebSocket.OPEN) return;
    open.add(index);
    if (open.size === browsers.length) writeLine({ all: "open", at: nowMs() });
  };
  socket.onmessage = ({ data }) => {
    const { type, data: payload } = JSON.parse(data);
    if (type === "campaign_progress") received[index].push([payload.campaignId, payload.sentCount, nowMs()]);
  };
  socket.onclose = () => setTimeout(() => connect(browser, index, next), retryDelayMs(tried));
}
