/** Measures what the check of an API key adds to a call, beside the check of a session. */
import process from "node:process";
import { makeKey } from "../edge/api_keys/make_key.ts";
import { createBoundKeys } from "../edge/auth/bound_key_calls.ts";
import { checkKeyCall } from "../edge/auth/check_key_call.ts";
import { findKey } from "../edge/auth/find_key.ts";
import { findSession } from "../edge/auth/sessions.ts";
import { openFleet } from "../edge/testing/fleet.ts";
import { DISK } from "shared/testing/memory_folder.ts";
import { type Figure, median, type Part } from "./figure.ts";
import { openSessionOf } from "./open_session.ts";

const CLIENTS = 200;
const KEYS_EACH = 5;
const ROUNDS = 7;
const CHECKS = 4_000;

export const keys: Part = {
  name: "keys",
  about:
    `${
      CLIENTS * KEYS_EACH
    } keys of ${CLIENTS} clients on a disk: a key found, its scope and its budget checked, ` +
    `${CHECKS} times in turn, and the same of sessions; the median of ${ROUNDS} rounds`,
  async *measure(): AsyncGenerator<Figure> {
    await using fleet = await openFleet({ under: DISK });
    const { ctx } = fleet;
    const texts: string[] = [];
    const sessions: string[] = [];
    for (let index = 0; index < CLIENTS; index++) {
      const { id } = await fleet.addClient(0);
      for (let at = 0; at < KEYS_EACH; at++) {
        const { secret } = await makeKey(ctx, { person: id, role: "client" }, {
          name: "CRM",
          mode: "live",
          scopes: ["campaigns:read", "reports"],
          expiresAt: null,
          dailyLimit: null,
          addresses: ["127.0.0.0/8"],
        });
        texts.push(secret);
      }
      sessions.push(await openSessionOf(ctx, id, { userAgent: "bench", from: "127.0.0.1" }));
    }
    // Each call is late enough for its budget.
    let clockMs = 0;
    const bound = createBoundKeys(ctx, () => clockMs += 1_000);
    const answer = { res: new Response() } as unknown as Parameters<typeof bound>[0];
    const checkKey = async (index: number) => {
      const found = await findKey(ctx, texts[index % texts.length]!, "127.0.0.1");
      checkKeyCall(found, "GET", "/api/campaigns/12/deliveries");
      await bound(answer, found, () => Promise.resolve());
    };
    const checkSession = async (index: number) => {
      if (await findSession(ctx, sessions[index % sessions.length]!) === null) throw new Error("No session");
    };
    const byKey = await measureChecks(checkKey);
    const bySession = await measureChecks(checkSession);
    yield { name: "a check of a key", value: byKey.ms, unit: "ms", bar: { atMost: 0.2 } };
    yield { name: "a check of a key, on a processor", value: byKey.cpuMs, unit: "ms" };
    yield { name: "a check of a session", value: bySession.ms, unit: "ms" };
  },
};

/** Returns the milliseconds of one check, as people wait and on a processor. */
async function measureChecks(
  check: (index: number) => Promise<void>,
): Promise<{ ms: number; cpuMs: number }> {
  for (let warm = 0; warm < CHECKS; warm++) await check(warm);
  const rounds: { ms: number; cpuMs: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const [beganAt, used] = [performance.now(), process.cpuUsage()];
    for (let index = 0; index < CHECKS; index++) await check(index);
    const { user, system } = process.cpuUsage(used);
    rounds.push({ ms: (performance.now() - beganAt) / CHECKS, cpuMs: (user + system) / 1_000 / CHECKS });
  }
  return { ms: median(rounds.map(({ ms }) => ms)), cpuMs: median(rounds.map(({ cpuMs }) => cpuMs)) };
}
