/** Measures messages by call: how fast they are taken, and how long a long campaign keeps them from a lease. */
import { makeKey } from "../edge/api_keys/make_key.ts";
import { connectDatabase } from "../edge/db/connect.ts";
import { migrateDatabase, readSchema } from "../edge/db/migrate.ts";
import { acceptMessage } from "../edge/messages/accept_message.ts";
import { readGeneration } from "../edge/sites/generation.ts";
import { fleetOn } from "../edge/testing/fleet.ts";
import { testContext } from "../edge/testing/test_context.ts";
import { freePort } from "../e2e/product.ts";
import { messageRequestSchema } from "shared/messages_api.ts";
import { type DispatchWorld, openDispatchWorld } from "./dispatch_world.ts";
import { type Figure, type Part, percentile } from "./figure.ts";
import { startEdge } from "./storm/process.ts";

const MESSAGES = 1_000;
const CAMPAIGN = 100_000;
/** Phones that ask together, as in P2. */
const BATCH = 20;
const FIRST_PHONE = 972_521_000_000;

export const messages: Part = {
  name: "messages",
  about: `${MESSAGES.toLocaleString("en")} messages handed over at once by one key over HTTP, each with an ` +
    `Idempotency-Key; then leased in batches of ${BATCH} alone, and beside the same client's campaign of ${
      CAMPAIGN.toLocaleString("en")
    }`,
  async *measure(): AsyncGenerator<Figure> {
    yield* measureAccepting();
    const alone = await measureLeases({ isBeside: false });
    const beside = await measureLeases({ isBeside: true });
    const delays = beside.leasedMs.map((ms, index) => ms - alone.leasedMs[index]!);
    yield { name: "the last message leased, alone", value: Math.max(...alone.leasedMs), unit: "ms" };
    yield {
      name: "the last message leased, beside the campaign",
      value: Math.max(...beside.leasedMs),
      unit: "ms",
    };
    yield {
      name: "longest delay by the campaign",
      value: Math.max(...delays),
      unit: "ms",
      bar: { atMost: 2_000 },
    };
    const campaignAlone = await measureCampaign();
    yield { name: "deliveries of a campaign alone", value: campaignAlone, unit: "/s" };
    yield {
      name: "deliveries of both together, of that",
      value: 100 * beside.perSecond / campaignAlone,
      unit: "%",
      bar: { atLeast: 70 },
    };
  },
};

/** Through the door of a real edge, on a disk. */
async function* measureAccepting(): AsyncGenerator<Figure> {
  const dataDir = await Deno.makeTempDir({ prefix: "shigur-messages-" });
  try {
    const secret = await makeWorld(`${dataDir}/shigur.db`);
    const port = freePort();
    const edge = await startEdge(dataDir, port);
    try {
      const send = async (index: number) => {
        const beganAt = performance.now();
        const answer = await fetch(`http://127.0.0.1:${port}/api/messages`, {
          method: "POST",
          headers: {
            authorization: `Bearer ${secret}`,
            "content-type": "application/json",
            "idempotency-key": crypto.randomUUID(),
          },
          body: JSON.stringify(wordsOf(index)),
        });
        const text = await answer.text();
        if (answer.status !== 202) throw new Error(`POST /api/messages: ${answer.status} ${text}`);
        return performance.now() - beganAt;
      };
      for (let warm = 0; warm < 100; warm++) await send(MESSAGES + warm);
      const beganAt = performance.now();
      const times = await Promise.all(Array.from({ length: MESSAGES }, (_, index) => send(index)));
      const value = performance.now() - beganAt;
      yield { name: `${MESSAGES} messages at once, all accepted`, value, unit: "ms", bar: { atMost: 3_000 } };
      yield { name: "a message of these, p50", value: percentile(times, 0.5), unit: "ms" };
    } finally {
      await edge.end();
    }
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
}

function wordsOf(index: number): { to: string; text: string; kind: "service"; reference: string } {
  return {
    to: `+${FIRST_PHONE + index}`,
    text: `ההזמנה ${index} בדרך אליך`,
    kind: "service",
    reference: `order-${index}`,
  };
}

/** Returns the key of a client with enough quota. */
async function makeWorld(path: string): Promise<string> {
  const db = await connectDatabase(`file:${path}`);
  await migrateDatabase(db, await readSchema());
  const ctx = testContext(db);
  await readGeneration(ctx);
  const close = () => Promise.resolve(db.close());
  const database = { db, path, url: `file:${path}`, close, [Symbol.asyncDispose]: close };
  const client = await fleetOn({ database, ctx, pass() {} }).addClient(2 * MESSAGES);
  const { secret } = await makeKey(ctx, { person: client.id, role: "client" }, {
    name: "bench",
    mode: "live",
    scopes: ["messages:send"],
    expiresAt: null,
    dailyLimit: null,
    addresses: [],
  });
  await close();
  return secret;
}

/** Returns when each message was leased, in milliseconds from the first, ascending. */
async function measureLeases(
  { isBeside }: { isBeside: boolean },
): Promise<{ leasedMs: number[]; perSecond: number }> {
  await using world = await openDispatchWorld({ deliveries: CAMPAIGN, phones: BATCH });
  if (!isBeside) await world.ctx.db.execute("UPDATE campaigns SET status = 'paused'");
  await addMessages(world);
  const leasedMs: number[] = [];
  const beganAt = performance.now();
  const { perSecond } = await world.send(isBeside ? 2 * MESSAGES : MESSAGES, BATCH, ({ items }) => {
    for (const { text } of items) if (text !== undefined) leasedMs.push(performance.now() - beganAt);
  });
  if (leasedMs.length < MESSAGES) throw new Error(`Only ${leasedMs.length} messages were leased`);
  return { leasedMs: leasedMs.slice(0, MESSAGES), perSecond };
}

async function addMessages({ ctx }: DispatchWorld): Promise<void> {
  // One more batch: a lease is asked for with the last report.
  const count = MESSAGES + BATCH;
  await ctx.db.execute({
    sql: "INSERT INTO quota_ledger (client, at, kind, delta) SELECT id, 0, 'grant', ? FROM users",
    args: [count],
  });
  const { rows: [client] } = await ctx.db.execute("SELECT id FROM users LIMIT 1");
  const caller = { client: Number(client!.id), person: Number(client!.id) };
  for (let index = 0; index < count; index++) {
    await acceptMessage(ctx, caller, messageRequestSchema.parse(wordsOf(index)));
  }
}

async function measureCampaign(): Promise<number> {
  await using world = await openDispatchWorld({ deliveries: CAMPAIGN, phones: BATCH });
  return (await world.send(2 * MESSAGES, BATCH)).perSecond;
}
