import { useOutletContext } from "react-router-dom";
import type { User } from "shared/http_api.ts";
import type { LiveState } from "../data/live_connection.ts";

/** Values that the signed-in frame passes to its screens. */
export interface SignedInContext {
  user: User;
  live: {
    state: LiveState;
    reconnect: () => void;
    /**
     * Returns the time of the last event in ms; null before the first. A function, so that events do not render
     * screens again.
     */
    lastEventAt: () => number | null;
  };
  /** Logs out; the frame then shows the login. */
  leave: () => Promise<void>;
}

/** Returns the signed-in frame's user, live channel and logout. */
export function useSignedIn(): SignedInContext {
  return useOutletContext<SignedInContext>();
}
