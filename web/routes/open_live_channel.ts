/** The live channel of a signed-in user, in its own chunk, so that the first view does not wait for it. */
import type { QueryClient } from "@tanstack/react-query";
import { apiJson } from "../data/api_client.ts";
import { applyEdits, editsFor, toastFor } from "./apply_live_event.ts";
import { connectLive, type LiveConnection, type LiveState } from "../data/live_connection.ts";
import { showToast } from "../ui/toast_store.ts";

interface LiveChannelOptions {
  onState: (state: LiveState) => void;
  /** Called with every event, after the cache was updated. */
  onEvent: () => void;
}

/** Opens the channel: events update the cache and show toasts; after every open all queries are fetched again. */
export function openLiveChannel(
  cache: QueryClient,
  { onState, onEvent }: LiveChannelOptions,
): LiveConnection {
  return connectLive({
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
    onState,
    // Verify with a request: its 401 ends the session here too, with the right message.
    onSessionOver: () =>
      void cache.fetchQuery({ queryKey: ["session over"], queryFn: () => apiJson("GET", "/api/auth/me") })
        .catch(() => {}),
    // deno-lint-ignore no-console -- only the console and the notice report a lost live channel
    log: (message, detail) => console.debug(message, detail ?? ""),
  });
}
