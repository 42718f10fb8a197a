/** Measures refused logins by cause: their times must not reveal the cause. */
import { Caller } from "../e2e/caller.ts";
import { SeededEdge } from "../e2e/seeded_edge.ts";
import { type Figure, median, type Part } from "./figure.ts";

/** Fewer than the hundred tries per account in fifteen minutes; each comes from another address. */
const TRIES = 60;

export const login: Part = {
  name: "login",
  about:
    `refused logins at a real edge, passwords at their real cost: ${TRIES} of each kind in turn, as medians`,
  measure,
};

async function* measure(): AsyncGenerator<Figure> {
  const edge = await SeededEdge.start("small", "no-screens");
  try {
    const admin = await Caller.login(edge.url, edge.admin);
    const disabled = { username: "disabled", password: "bench-password" };
    const { id } = await admin.read<{ id: number }>("POST", "/api/users", { json: disabled });
    await admin.read("PATCH", `/api/users/${id}`, { json: { disabled: true } });
    const kinds = {
      wrong: { username: edge.client!.username, password: "wrong password" },
      unknown: { username: "nobody", password: "wrong password" },
      disabled,
    };
    const ms: Record<keyof typeof kinds, number[]> = { wrong: [], unknown: [], disabled: [] };
    for (let i = 0; i < TRIES; i++) {
      for (const kind of ["wrong", "unknown", "disabled"] as const) {
        ms[kind].push(await refuse(edge.url, kinds[kind], i));
      }
    }
    const wrong = median(ms.wrong);
    yield { name: "a known name with a wrong password", value: wrong, unit: "ms" };
    yield { name: "an unknown name, of that", value: median(ms.unknown) / wrong, unit: "×" };
    yield {
      name: "a disabled user with the right password, of that",
      value: median(ms.disabled) / wrong,
      unit: "×",
    };
  } finally {
    await edge.stop();
  }
}

/** Returns the milliseconds until the refusal. */
async function refuse(url: string, json: unknown, from: number): Promise<number> {
  const beganAt = performance.now();
  const answer = await fetch(`${url}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": `198.51.${from >> 8}.${from & 255}` },
    body: JSON.stringify(json),
  });
  await answer.body?.cancel();
  if (answer.status !== 401) throw new Error(`A login was answered ${answer.status}`);
  return performance.now() - beganAt;
}
