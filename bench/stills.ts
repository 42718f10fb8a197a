/** Measures phones at work while people look at their screens, and without: messages, processor, age of a still. */
import { Caller, type Login, makeReadyCampaign } from "../e2e/caller.ts";
import { Product } from "../e2e/product.ts";
import { pause } from "../e2e/wait.ts";
import { MAX_LOOK_DEVICES, STILL_EVERY_MS } from "shared/still.ts";
import { type Figure, type Part, percentile } from "./figure.ts";
import { clientWithQuota, untilOnline } from "./house.ts";
import { watchProcess } from "./process_use.ts";

const PHONES = 20;
const PEOPLE = 5;
const PACE_SECONDS = 10;
const WARM_UP_MS = 20_000;
const WATCH_MS = 60_000;
/** Without and with people in turn, because the machine's speed changes with time. */
const ROUNDS = 2;

export const stills: Part = {
  name: "stills",
  about:
    `${PHONES} simulated phones at a real phone's speed, each sending every ${PACE_SECONDS} s; ${PEOPLE} administrators ` +
    `look at ${MAX_LOOK_DEVICES} of them each, all phones together, a still every ${
      STILL_EVERY_MS / 1000
    } s; ` +
    `${ROUNDS} × ${
      WATCH_MS / 1000
    } s without and with, in turn. The phones' own processors are not simulated`,
  measure,
};

interface Watched {
  perMinute: number;
  agentCpu: number;
  edgeCpu: number;
  agentMb: number;
}

async function* measure(): AsyncGenerator<Figure> {
  const product = await Product.start({
    devices: PHONES,
    speed: 1,
    rateLimit: PACE_SECONDS,
    maxMessagesPerDay: 10_000,
  });
  try {
    await untilOnline(product, PHONES);
    const people = await addPeople(product);
    const contacts = Math.ceil(1.5 * PHONES * (WARM_UP_MS + 2 * ROUNDS * WATCH_MS) / 1000 / PACE_SECONDS);
    const client = await clientWithQuota(product, contacts);
    const campaign = await makeReadyCampaign(client, "צפייה", contacts);
    await client.read("POST", `/api/campaigns/${campaign}/send`);
    await pause(WARM_UP_MS);

    const alone: Watched[] = [];
    const watched: Watched[] = [];
    const seen: Seen = { tookMs: [], refused: new Map() };
    for (let round = 0; round < ROUNDS; round++) {
      alone.push(await watch(product));
      const stop = new AbortController();
      const looking = people.map((person, index) => look(product, person, index, seen, stop.signal));
      watched.push(await watch(product));
      stop.abort();
      await Promise.all(looking);
    }
    const [without, withPeople] = [meanOf(alone), meanOf(watched)];
    yield { name: "messages without anybody looking", value: without.perMinute, unit: "/min" };
    yield {
      name: `messages with ${PEOPLE} people looking`,
      value: withPeople.perMinute,
      unit: "/min",
      bar: { atLeast: 0.97 * without.perMinute },
    };
    yield { name: "stills", value: seen.tookMs.length / (ROUNDS * WATCH_MS / 1000), unit: "/s" };
    yield { name: "from the ask to the whole still, p50", value: percentile(seen.tookMs, 0.5), unit: "ms" };
    yield { name: "from the ask to the whole still, p95", value: percentile(seen.tookMs, 0.95), unit: "ms" };
    for (const [code, count] of seen.refused) yield { name: `refused: ${code}`, value: count, unit: "" };
    yield { name: "agent, CPU without", value: without.agentCpu, unit: "% of a core" };
    yield { name: "agent, CPU with", value: withPeople.agentCpu, unit: "% of a core" };
    yield { name: "edge, CPU without", value: without.edgeCpu, unit: "% of a core" };
    yield { name: "edge, CPU with", value: withPeople.edgeCpu, unit: "% of a core" };
    yield { name: "agent, resident with", value: withPeople.agentMb, unit: "MB", bar: { atMost: 200 } };
  } finally {
    await product.stop();
  }
}

async function watch(product: Product): Promise<Watched> {
  const tapsBefore = product.taps().length;
  const [agent, edge] = [watchProcess(product.pid("agent")!), watchProcess(product.pid("edge")!)];
  await pause(WATCH_MS);
  const [agentUse, edgeUse] = [agent(), edge()];
  return {
    perMinute: (product.taps().length - tapsBefore) / (WATCH_MS / 60_000),
    agentCpu: agentUse.cpuPercent,
    edgeCpu: edgeUse.cpuPercent,
    agentMb: agentUse.rssMb,
  };
}

function meanOf(rounds: Watched[]): Watched {
  const mean = (field: keyof Watched) => rounds.reduce((sum, one) => sum + one[field], 0) / rounds.length;
  return {
    perMinute: mean("perMinute"),
    agentCpu: mean("agentCpu"),
    edgeCpu: mean("edgeCpu"),
    agentMb: mean("agentMb"),
  };
}

async function addPeople(product: Product): Promise<Caller[]> {
  const first = await Caller.login(product.url, product.logins().find(({ role }) => role === "admin")!);
  const people: Caller[] = [];
  for (let index = 0; index < PEOPLE; index++) {
    const login: Login = { username: `looker-${index}`, password: "bench-password", role: "admin" };
    await first.read("POST", "/api/users", { json: { ...login, proof: first.proof } });
    people.push(await Caller.login(product.url, login));
  }
  return people;
}

interface Seen {
  /** Milliseconds of each still, from the ask to its last byte. */
  tookMs: number[];
  /** Refusals by their code. */
  refused: Map<string, number>;
}

/** Looks at twelve phones, as the page of a site's screens does. */
async function look(
  product: Product,
  person: Caller,
  index: number,
  seen: Seen,
  stop: AbortSignal,
): Promise<void> {
  const ids = product.query<{ id: number }>("SELECT id FROM devices ORDER BY id").map(({ id }) => id);
  const devices = Array.from({ length: MAX_LOOK_DEVICES }, (_, at) => ids[(index * 4 + at) % ids.length]!);
  const { looks } = await person.read<{ looks: { id: number }[] }>("POST", "/api/admin/looks", {
    json: { devices, reason: "מדידה", proof: person.proof },
  });
  await Promise.all(looks.map(async ({ id }) => {
    while (!stop.aborted) {
      const beganAt = performance.now();
      const answer = await person.call("POST", `/api/admin/looks/${id}/still`);
      const bytes = await answer.bytes();
      if (answer.ok) seen.tookMs.push(performance.now() - beganAt);
      else {
        const { code } = JSON.parse(new TextDecoder().decode(bytes));
        seen.refused.set(code, (seen.refused.get(code) ?? 0) + 1);
      }
      await pause(Math.max(0, STILL_EVERY_MS - (performance.now() - beganAt)));
    }
  }));
}
