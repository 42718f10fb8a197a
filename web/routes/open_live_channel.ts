/** The live channel of a signed-in user, in a chunk of its own: the first view does not wait for it. */
import type { QueryClient } from "@tanstack/react-query";
import { apiJson } from "../data/api_client.ts";
import { applyEdits, editsFor, toastFor } from "./apply_live_event.ts";
import { connectLive, type LiveConnection, type LiveState } from "../data/live_connection.ts";
import { showToast } from "../ui/toast_store.ts";

interface LiveChannelOptions {
  onState: (state: LiveState) => void;
  /** Called with every event, after the cache holds what it told. */
  onEvent: () => void;
}

/** Opens the channel: events change the cache and raise toasts, and after every open everything is asked again. */
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
    // Asked rather than believed: its 401 is what ends the session here too, with the sentence for it.
    onSessionOver: () =>
      void cache.fetchQuery({ queryKey: ["session over"], queryFn: () => apiJson("GET", "/api/auth/me") })
        .catch(() => {}),
    // deno-lint-ignore no-console -- a lost live channel is told in the console and by the notice alone
    log: (message, detail) => console.debug(message, detail ?? ""),
  });
}
