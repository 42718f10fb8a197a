import { WifiOff } from "lucide-react";
import { ADMIN_SHELL } from "../../text/admin_shell.ts";
import { formatAge } from "../../text/format.ts";
import { SIGNED_IN } from "../../text/signed_in.ts";
import { useNow } from "../../ui/use_now.ts";
import { useSignedIn } from "../signed_in_context.ts";

const SECOND_MS = 1000;

/**
 * Shows whether the live channel is open, and the age of its last event. The age is no ARIA status: a screen
 * reader would read it continuously.
 */
export function LiveLight() {
  const { live } = useSignedIn();
  const now = useNow(SECOND_MS);
  const lastEventAt = live.lastEventAt();
  const { tone, words } = lookOf(live.state);
  return (
    <span className="inline-flex min-w-0 items-center gap-2 px-2 text-xs whitespace-nowrap text-ink-2">
      <span className={`${tone} text-tone`} aria-hidden="true">
        {live.state === "given_up" ? <WifiOff className="size-4" /> : <span className="live-dot block" />}
      </span>
      <span role="status" className={tone === "tone-ok" ? "max-sm:sr-only" : "truncate"}>{words}</span>
      {live.state === "open" && lastEventAt !== null && (
        <span className="truncate">
          <span className="me-1 max-sm:hidden" aria-hidden="true">·</span>
          {formatAge(now - lastEventAt)}
        </span>
      )}
    </span>
  );
}

function lookOf(state: ReturnType<typeof useSignedIn>["live"]["state"]): { tone: string; words: string } {
  if (state === "open") return { tone: "tone-ok", words: ADMIN_SHELL.live };
  if (state === "given_up") return { tone: "tone-bad", words: SIGNED_IN.offline };
  return { tone: "tone-warn", words: SIGNED_IN.reconnecting };
}
