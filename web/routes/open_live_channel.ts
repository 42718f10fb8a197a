/** The live channel of a signed-in user, in its own chunk, so that the first view does not wait for it. */
import type { QueryClient } from "@tanstack/react-query";
import { ApiError, apiJson } from "../data/api_client.ts";
import { applyEdits, editsFor, toastFor } from "./apply_live_event.ts";
import { connectLive, type LiveConnection, type LiveState } from "../data/live_connection.ts";
import { showToast } from "../ui/toast_store.ts";

interface LiveChannelOptions {
  onState: (state: LiveState) => void;
  /** Called with every event, after the cache was updated. */
  onEvent: () => void;
}

/** Returns whether the server or the way to it failed, and not the request. */
function isOutage(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof ApiError && error.status >= 500);
}

/** Opens the channel: events update the cache and show toasts; after every open all queries are fetched again. */
export function openLiveChannel(
  cache: QueryClient,
  { onState, onEvent }: LiveChannelOptions,
): LiveConnection {
  let state: LiveState = "connecting";
  let wasOpen = false;
  const connection = connectLive({
    url: `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}/ws`,
    openSocket: (url) => new WebSocket(url),
    schedule: (act, ms) => {
      const timer = setTimeout(act, ms);
      return () => clearTimeout(timer);
    },
    onEvent: (event) => {
      applyEdits(cache, editsFor(event));
      const toast = toastFor(event);
      if (toast) showToast(toast);
      onEvent();
    },
    onOpen: () => void cache.invalidateQueries(),
    onState: (next) => {
      state = next;
      // Everything was fetched again: an age from before an outage would say that nothing came since.
      if (next === "open" && wasOpen) onEvent();
      wasOpen ||= next === "open";
      if (next === "closed") stopWatching();
      onState(next);
    },
    // Verify with a request: its 401 ends the session here too, with the right message.
    onSessionOver: () =>
      void cache.fetchQuery({ queryKey: ["session over"], queryFn: () => apiJson("GET", "/api/auth/me") })
        .catch(() => {}),
    // deno-lint-ignore no-console -- only the console and the notice report a lost live channel
    log: (message, detail) => console.debug(message, detail ?? ""),
  });
  // The server's first answer after an outage opens a channel that gave up. A server that answered all the time is not
  // asked again: something on the way blocks the channel, and a person decides.
  let isAway = false;
  const stopWatching = cache.getQueryCache().subscribe((event) => {
    if (event.type !== "updated") return;
    const { action } = event;
    if (action.type === "error" && isOutage(action.error)) isAway = true;
    if (action.type !== "success" || state !== "given_up" || !isAway) return;
    isAway = false;
    connection.reconnect();
  });
  return connection;
}
