/** Measures phones at work, with and without people who look at their screens: messages, processor, age of a still. */
import { Caller, type Login } from "../e2e/caller.ts";
import type { Product } from "../e2e/product.ts";
import { pause } from "../e2e/wait.ts";
import { MAX_LOOK_DEVICES, STILL_EVERY_MS } from "shared/still.ts";
import { type Figure, type Part, percentile } from "./figure.ts";
import { watchProcess } from "./process_use.ts";
import { PACE_SECONDS, sendForLongerThan, startAtRealPace } from "./real_pace.ts";

const PHONES = 20;
const PEOPLE = 5;
const WARM_UP_MS = 20_000;
const WATCH_SECONDS = 60;
const STILL_SECONDS = STILL_EVERY_MS / 1000;
/** Without and with people in turn, because the machine's speed changes with time. */
const ROUNDS = 2;

export const stills: Part = {
  name: "stills",
  about:
    `${PHONES} simulated phones at a real phone's speed, each sending every ${PACE_SECONDS} s; ${PEOPLE} administrators ` +
    `look at ${MAX_LOOK_DEVICES} of them each, all phones together, a still every ${STILL_SECONDS} s; ` +
    `${ROUNDS} × ${WATCH_SECONDS} s without and with, in turn. The phones' own processors are not simulated`,
  measure,
};

interface Watched {
  /** Messages. */
  perMinute: number;
  /** Percent of a core. */
  agentCpu: number;
  edgeCpu: number;
  agentMb: number;
}

async function* measure(): AsyncGenerator<Figure> {
  const product = await startAtRealPace(PHONES);
  try {
    const people = await addPeople(product);
    await sendForLongerThan(product, PHONES, WARM_UP_MS + 2 * ROUNDS * WATCH_SECONDS * 1000);
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
    yield { name: "stills", value: seen.tookMs.length / (ROUNDS * WATCH_SECONDS), unit: "/s" };
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
  await pause(WATCH_SECONDS * 1000);
  const [agentUse, edgeUse] = [agent(), edge()];
  return {
    perMinute: (product.taps().length - tapsBefore) / (WATCH_SECONDS / 60),
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

/** Looks at some phones until `stop` aborts, as the page of a site's screens does. */
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
