import { useOutletContext } from "react-router-dom";
import type { User } from "shared/http_api.ts";
import type { LiveState } from "../data/live_connection.ts";

/** What the signed-in frame hands to the screens in it. */
export interface SignedInContext {
  user: User;
  live: {
    state: LiveState;
    reconnect: () => void;
    /** When the last event came, in ms; null before the first. A function, so that events redraw no screen. */
    lastEventAt: () => number | null;
  };
  /** Logs out; the frame then leads to the login. */
  leave: () => Promise<void>;
}

/** The signed-in frame's user, live channel and way out. */
export function useSignedIn(): SignedInContext {
  return useOutletContext<SignedInContext>();
}
