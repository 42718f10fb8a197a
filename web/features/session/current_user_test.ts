import assert from "node:assert/strict";
import type { User } from "shared/http_api.ts";
import { createQueryClient } from "../../data/query_client.ts";
import { currentUserQuery } from "./current_user.ts";

const DANA = { id: 7, username: "dana", role: "client", messageQuota: 5 } as User;
const OVER = { error: "נא להתחבר", code: "not_logged_in" };

/** Requests the current user, from a page with or without the hint; the server returns `statuses` in turn. */
async function ask(held: User | null, statuses: number[], cookie = "shigur_hint=1") {
  let ends = 0;
  const cache = createQueryClient(() => ends++);
  if (held) cache.setQueryData(currentUserQuery.queryKey, held);
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, () => {
    const status = statuses.shift()!;
    return Response.json(status === 200 ? DANA : OVER, { status });
  });
  const realFetch = globalThis.fetch;
  globalThis.fetch = (path, init) =>
    realFetch(new URL(String(path), `http://127.0.0.1:${server.addr.port}`), init);
  Object.defineProperty(globalThis, "document", {
    value: { cookie },
    configurable: true,
  });
  try {
    const answer = await cache.fetchQuery({ ...currentUserQuery, staleTime: 0 }).catch(() => "refused");
    return { answer, ends, left: statuses.length };
  } finally {
    Reflect.deleteProperty(globalThis, "document");
    globalThis.fetch = realFetch;
    cache.clear();
    await server.shutdown();
  }
}

Deno.test("a user stays logged in when another tab gave the session another id", async () => {
  assert.deepEqual(await ask(DANA, [401, 200]), { answer: DANA, ends: 0, left: 0 });
});

Deno.test("a logged-in user's session ends after two refusals, a visitor's after one", async () => {
  assert.deepEqual(await ask(DANA, [401, 401]), { answer: "refused", ends: 1, left: 0 });
  assert.deepEqual(await ask(null, [401]), { answer: null, ends: 0, left: 0 });
});

Deno.test("without the hint no request is made for a visitor, but one for a logged-in user", async () => {
  assert.deepEqual(await ask(null, [401], ""), { answer: null, ends: 0, left: 1 });
  assert.deepEqual(await ask(DANA, [401, 401], ""), { answer: "refused", ends: 1, left: 0 });
});
