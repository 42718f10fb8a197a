import {
  focusManager,
  type Mutation,
  MutationCache,
  type MutationKey,
  partialMatchKey,
  type Query,
  QueryCache,
  QueryClient,
  type QueryKey,
} from "@tanstack/react-query";
import { ApiError, isSessionOver } from "./api_client.ts";

/** How often a query waits after a refusal with Retry-After. */
const MAX_WAITS = 3;

/** Long enough for the response that sets the session's new id, in any tab. */
const ASK_AGAIN_MS = 300;

/**
 * Returns a cache that never refetches by itself. After "session over" it asks once more, because another tab may
 * have renewed the session id meanwhile. A rate-limited query is repeated at the time that the server gave, for
 * all tabs together. Nothing else is retried.
 */
export function createQueryClient(onSessionOver: () => void): QueryClient {
  const onError = (error: unknown) => {
    if (isSessionOver(error) && !isEnding(mutationCache)) onSessionOver();
  };
  const mutationCache: MutationCache = new MutationCache({ onError });
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache,
    defaultOptions: {
      // "always": without a network a query fails with an error; the default would wait silently.
      queries: {
        staleTime: Infinity,
        retry: (failed, error) =>
          isSessionOver(error) ? failed === 0 : isTooFast(error) && failed < MAX_WAITS,
        retryDelay: (_, error) => isTooFast(error) ? error.retryAfterSeconds! * 1000 : ASK_AGAIN_MS,
        refetchOnWindowFocus: false,
        refetchInterval: false,
        networkMode: "always",
        enabled: ({ queryKey }) =>
          !isGoing(mutationCache, queryKey) && !isRenewing(mutationCache) && !isEnding(mutationCache),
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
  // Not in the form's own onSettled, which does not run after its page is left. A query that mounted meanwhile does
  // not fetch by itself when `enabled` turns true.
  mutationCache.subscribe((event) => {
    if (event.type !== "updated") return;
    // The poll's timer ignores `enabled`; it checks only whether the page has focus.
    focusManager.setFocused(isHoldingPolls(mutationCache) ? false : undefined);
    if (isRenewed(event.mutation)) void client.invalidateQueries();
  });
  keepRefusals(client.getQueryCache());
  return client;
}

/**
 * Keeps a first load's error on the screen during a refetch. The library would set it to pending again, so every
 * poll would replace the error's sentence with a skeleton. A screen that mounts later starts fresh.
 */
function keepRefusals(queries: QueryCache): void {
  const refusals = new WeakMap<Query, Error>();
  queries.subscribe((event) => {
    const { query } = event;
    if (event.type === "observerAdded" && query.getObserversCount() === 1) refusals.delete(query);
    if (event.type !== "updated") return;
    const { action } = event;
    if (action.type === "error") refusals.set(query, action.error);
    if (action.type === "success") refusals.delete(query);
    const error = refusals.get(query);
    // Observers are notified after this event, so the screen never sees the pending state in between.
    if (action.type === "fetch" && error && query.state.status === "pending") {
      query.setState({ status: "error", error });
    }
  });
}

/** Returns whether the error is a rate limit with a time for the next try, and nothing else. */
function isTooFast(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 429 && error.retryAfterSeconds !== undefined;
}

/**
 * Returns the key of a mutation that deletes everything under a query key. During it and after its success nothing
 * under that key is fetched. The live events of a deletion arrive before its response; a refetch would show "does
 * not exist" before the screen is left.
 */
export function deletionOf(queryKey: QueryKey): MutationKey {
  return [DELETION, ...queryKey];
}

const DELETION = "DELETE";

/**
 * Key of a mutation that renews the session id. No query runs during it: a request with the old id that arrives
 * after the renewal would be refused as an ended session. Afterwards all queries are fetched again.
 */
export const SESSION_RENEWAL: MutationKey = ["session renewal"];

/**
 * Key of the logout. From its start on no query runs, and a refusal of an earlier one is ignored. The user leaves
 * the screen anyway and gets no message about a session that ended elsewhere.
 */
export const SESSION_END: MutationKey = ["session end"];

function isEnding(mutations: MutationCache): boolean {
  return mutations.getAll().some(({ options, state }) =>
    options.mutationKey === SESSION_END && (state.status === "pending" || state.status === "success")
  );
}

/**
 * Returns whether a mutation pauses polling: a poll during it would be refused, or return "does not exist" for the
 * deleted item.
 */
function isHoldingPolls(mutations: MutationCache): boolean {
  return mutations.getAll().some(({ options: { mutationKey }, state }) =>
    state.status === "pending" &&
    (mutationKey?.[0] === DELETION || mutationKey === SESSION_RENEWAL || mutationKey === SESSION_END)
  );
}

function isRenewing(mutations: MutationCache): boolean {
  return mutations.getAll().some((mutation) => isRenewal(mutation) && mutation.state.status === "pending");
}

/** Returns true after a refused renewal too: queries cancelled for it have no response yet. */
function isRenewed(mutation: Mutation): boolean {
  return isRenewal(mutation) && ["success", "error"].includes(mutation.state.status);
}

function isRenewal({ options }: Mutation): boolean {
  return options.mutationKey === SESSION_RENEWAL;
}

function isGoing(mutations: MutationCache, queryKey: QueryKey): boolean {
  return mutations.getAll().some(({ options, state }) =>
    options.mutationKey?.[0] === DELETION &&
    (state.status === "pending" || state.status === "success") &&
    partialMatchKey(queryKey, options.mutationKey.slice(1))
  );
}
