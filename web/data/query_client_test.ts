import {
  environmentManager,
  focusManager,
  type MutationFunction,
  MutationObserver,
  QueryObserver,
} from "@tanstack/react-query";
import assert from "node:assert/strict";
import { ApiError } from "./api_client.ts";
import { createQueryClient, deletionOf, SESSION_END, SESSION_RENEWAL } from "./query_client.ts";

const CAMPAIGN_KEY = ["/api/campaigns", 7];

Deno.test("no query asks for an object that is being deleted or was; others are asked", async () => {
  const { cache, asked, ask, stop } = await watched();
  const answer = Promise.withResolvers<void>();
  const deletion = remove(cache, () => answer.promise);
  await ask();
  assert.deepEqual(asked, ["/api/campaigns/8"]);
  answer.resolve();
  await deletion;
  await ask();
  assert.deepEqual(asked, ["/api/campaigns/8", "/api/campaigns/8"]);
  stop();
});

Deno.test("an object that could not be deleted is asked for again", async () => {
  const { cache, asked, ask, stop } = await watched();
  await assert.rejects(remove(cache, () => Promise.reject(new Error("refused"))));
  await ask();
  assert.deepEqual(asked.sort(), ["/api/campaigns/7", "/api/campaigns/7/deliveries", "/api/campaigns/8"]);
  stop();
});

for (const isRefused of [false, true]) {
  const end = isRefused ? "its refusal" : "it";
  Deno.test(`no query runs while the session gets another id, and all run after ${end}`, async () => {
    const { cache, asked, ask, stop } = await watched();
    const answer = Promise.withResolvers<void>();
    const renewal = new MutationObserver(cache, {
      mutationKey: SESSION_RENEWAL,
      mutationFn: () => answer.promise,
    }).mutate();
    await ask();
    // A query that mounts during the mutation, as when the form's page is left.
    const next = Promise.withResolvers<void>();
    const queryFn = () => {
      next.resolve();
      return asked.push("/api/users");
    };
    const leave = new QueryObserver(cache, { queryKey: ["/api/users"], queryFn }).subscribe(() => {});
    assert.deepEqual(asked, []);
    if (isRefused) answer.reject(new Error("refused"));
    else answer.resolve();
    await renewal.catch(() => {});
    await next.promise;
    assert.equal(asked.length, 4);
    leave();
    stop();
  });
}

for (const mutationKey of [deletionOf(CAMPAIGN_KEY), SESSION_RENEWAL, SESSION_END]) {
  Deno.test(`a running poll waits for the end of "${mutationKey.join(" ")}"`, async () => {
    const { cache, polls, stop } = await polled();
    const answer = Promise.withResolvers<void>();
    const mutation = new MutationObserver(cache, { mutationKey, mutationFn: () => answer.promise }).mutate();
    const before = polls();
    for (let turn = 0; turn < 20; turn++) await oneTurn();
    assert.equal(polls(), before);
    answer.resolve();
    await mutation;
    assert.ok(focusManager.isFocused(), "the polls of the next session go out");
    stop();
  });
}

Deno.test("polls continue when a deletion was refused", async () => {
  const { cache, polls, stop } = await polled();
  await assert.rejects(remove(cache, () => Promise.reject(new Error("refused"))));
  const before = polls();
  while (polls() === before) await oneTurn();
  stop();
});

Deno.test("a read overtaken by a logout does not report an ended session", async () => {
  const ended: string[] = [];
  const cache = createQueryClient(() => ended.push("over"));
  cache.mount();
  const answer = Promise.withResolvers<void>();
  const logout = new MutationObserver(cache, { mutationKey: SESSION_END, mutationFn: () => answer.promise })
    .mutate();
  const read = cache.fetchQuery({ queryKey: CAMPAIGN_KEY, queryFn: () => Promise.reject(refusal(401)) });
  answer.resolve();
  await logout;
  await assert.rejects(read, ApiError);
  assert.deepEqual(ended, []);
  cache.unmount();
  cache.clear();
});

for (const isOver of [false, true]) {
  Deno.test(`a read refused for an ended session ${isOver ? "twice ends it" : "is repeated, and continues"}`, async () => {
    const ended: string[] = [];
    const cache = createQueryClient(() => ended.push("over"));
    const answers = [refusal(401), isOver ? refusal(401) : "קמפיין"];
    const queryFn = () => {
      const answer = answers.shift();
      return answer instanceof ApiError ? Promise.reject(answer) : Promise.resolve(answer);
    };
    const read = cache.fetchQuery({ queryKey: CAMPAIGN_KEY, queryFn });
    if (isOver) await assert.rejects(read, ApiError);
    else assert.equal(await read, "קמפיין");
    assert.deepEqual(ended, isOver ? ["over"] : []);
    assert.equal(answers.length, 0);
    cache.clear();
  });
}

Deno.test("a read that came too fast is repeated at the server's time, a bounded number of times", async () => {
  const cache = createQueryClient(() => {});
  const tooFast = () =>
    new ApiError(new Response(null, { status: 429, headers: { "retry-after": "0.001" } }), "");
  let asked = 0;
  const queryFn = () => asked++ === 0 ? Promise.reject(tooFast()) : Promise.resolve("קמפיין");
  assert.equal(await cache.fetchQuery({ queryKey: CAMPAIGN_KEY, queryFn }), "קמפיין");
  const always = { queryKey: ["/api/campaigns", 8], queryFn: () => Promise.reject(tooFast()) };
  await assert.rejects(cache.fetchQuery(always), { status: 429 });
  cache.clear();
});

Deno.test("a read that fails for another reason is not repeated", async () => {
  const cache = createQueryClient(() => {});
  let asked = 0;
  const queryFn = () => Promise.reject(refusal(500 + asked++));
  await assert.rejects(cache.fetchQuery({ queryKey: CAMPAIGN_KEY, queryFn }), { status: 500 });
  assert.equal(asked, 1);
  cache.clear();
});

Deno.test("data refused before its first arrival stays refused while it is asked again", async () => {
  const cache = createQueryClient(() => {});
  let answer = Promise.withResolvers<string>();
  const screen = new QueryObserver(cache, { queryKey: CAMPAIGN_KEY, queryFn: () => answer.promise });
  const leave = screen.subscribe(() => {});
  const shown = () => {
    const { status, error, fetchStatus } = screen.getCurrentResult();
    return [status, error, fetchStatus];
  };
  const error = refusal(500);
  for (let time = 1; time <= 2; time++) {
    const asked = screen.refetch();
    assert.deepEqual(shown(), [time === 1 ? "pending" : "error", time === 1 ? null : error, "fetching"]);
    answer.reject(error);
    await asked;
    assert.deepEqual(shown(), ["error", error, "idle"]);
    answer = Promise.withResolvers();
  }
  answer.resolve("קמפיין");
  await screen.refetch();
  assert.deepEqual(shown(), ["success", null, "idle"]);
  leave();
  cache.clear();
});

Deno.test("a screen that opens later asks again for refused data", async () => {
  const cache = createQueryClient(() => {});
  const query = { queryKey: CAMPAIGN_KEY, queryFn: () => Promise.reject(refusal(500)) };
  await assert.rejects(cache.fetchQuery(query));
  assert.equal(cache.getQueryState(CAMPAIGN_KEY)?.status, "error");
  const screen = new QueryObserver(cache, query);
  const leave = screen.subscribe(() => {});
  assert.equal(screen.getCurrentResult().status, "pending");
  leave();
  cache.clear();
});

/** Returns a cache with a campaign on the screen, after its first poll. */
async function polled() {
  // The library runs no timers on a server.
  environmentManager.setIsServer(() => false);
  const cache = createQueryClient(() => {});
  let asked = 0;
  const leave = new QueryObserver(cache, {
    queryKey: CAMPAIGN_KEY,
    queryFn: () => ++asked,
    refetchInterval: 2,
  }).subscribe(() => {});
  while (asked < 3) await oneTurn();
  const stop = () => {
    leave();
    cache.clear();
    environmentManager.setIsServer(() => true);
  };
  return { cache, polls: () => asked, stop };
}

function oneTurn(): Promise<void> {
  return new Promise((done) => setTimeout(done, 2));
}

function refusal(status: number): ApiError {
  return new ApiError(new Response(null, { status }), "");
}

/** Returns a cache with a campaign on the screen, a query under it, and another campaign. */
async function watched() {
  const cache = createQueryClient(() => {});
  const asked: string[] = [];
  const stops = [CAMPAIGN_KEY, [...CAMPAIGN_KEY, "deliveries"], ["/api/campaigns", 8]].map((queryKey) =>
    new QueryObserver(cache, { queryKey, queryFn: () => asked.push(queryKey.join("/")) }).subscribe(() => {})
  );
  const ask = () => cache.invalidateQueries({ queryKey: ["/api/campaigns"] });
  await ask();
  asked.length = 0;
  return { cache, asked, ask, stop: () => [...stops, () => cache.clear()].forEach((end) => end()) };
}

async function remove(cache: ReturnType<typeof createQueryClient>, mutationFn: MutationFunction<void, void>) {
  await new MutationObserver(cache, { mutationKey: deletionOf(CAMPAIGN_KEY), mutationFn }).mutate();
}
