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

/** How often a question waits out a refusal that says for how long. */
const MAX_WAITS = 3;

/** Long enough for the answer that brings the session's new id, on whichever tab. */
const ASK_AGAIN_MS = 300;

/**
 * A cache that asks only when told to: nothing goes stale by itself. What is told that the session is over is asked once
 * more before that is believed: another tab may have given it another id meanwhile. What was asked too fast, for all tabs
 * together, is asked again when the server said. Nothing else is retried.
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
      // "always": without a network a question fails and says so, where it would wait without a word.
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
  // Not by the form's own onSettled, which does not run once its page is left: a query that came on the screen meanwhile
  // is not asked by itself when `enabled` turns true.
  mutationCache.subscribe((event) => {
    if (event.type !== "updated") return;
    // The clock of a poll does not ask `enabled`, only whether anybody looks at the page.
    focusManager.setFocused(isHoldingPolls(mutationCache) ? false : undefined);
    if (isRenewed(event.mutation)) void client.invalidateQueries();
  });
  keepRefusals(client.getQueryCache());
  return client;
}

/**
 * What was refused before it ever came stays refused on the screen while it is asked again: the library would call it
 * pending anew, and with every poll the sentence that says why would give way to a skeleton. A screen that comes to it
 * later begins afresh.
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
    // Observers tell the screen behind this event, so it never sees the pending between.
    if (action.type === "fetch" && error && query.state.status === "pending") {
      query.setState({ status: "error", error });
    }
  });
}

/** Whether the error says when to ask again, and nothing else stands in the way. */
function isTooFast(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 429 && error.retryAfterSeconds !== undefined;
}

/**
 * The key of a mutation that deletes what lies under a query key. While it runs, and once it succeeded, nothing under
 * that key is asked: the live events of a deletion arrive before its answer, and the screen would say that what it
 * shows does not exist before it is left.
 */
export function deletionOf(queryKey: QueryKey): MutationKey {
  return [DELETION, ...queryKey];
}

const DELETION = "DELETE";

/**
 * The key of a mutation that gives the session another id. While it runs nothing is asked: what goes out under the old
 * id and arrives behind it would be told that the session is over. Behind its end everything is asked again.
 */
export const SESSION_RENEWAL: MutationKey = ["session renewal"];

/**
 * The key of the logout. From its begin on nothing is asked, and a refusal of what was asked before is no news: the screen
 * is left with the answer, and nobody is told that their session ended elsewhere.
 */
export const SESSION_END: MutationKey = ["session end"];

function isEnding(mutations: MutationCache): boolean {
  return mutations.getAll().some(({ options, state }) =>
    options.mutationKey === SESSION_END && (state.status === "pending" || state.status === "success")
  );
}

/** A poll meanwhile would be refused, or told that what is being deleted does not exist. */
function isHoldingPolls(mutations: MutationCache): boolean {
  return mutations.getAll().some(({ options: { mutationKey }, state }) =>
    state.status === "pending" &&
    (mutationKey?.[0] === DELETION || mutationKey === SESSION_RENEWAL || mutationKey === SESSION_END)
  );
}

function isRenewing(mutations: MutationCache): boolean {
  return mutations.getAll().some((mutation) => isRenewal(mutation) && mutation.state.status === "pending");
}

/** Also when it was refused: what was cancelled for it was not answered. */
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
