import { useQuery } from "@tanstack/react-query";
import { ADMIN_SHELL } from "../../text/admin_shell.ts";
import { Num } from "../../ui/num.tsx";
import { healthQuery } from "./get_health.ts";

/** The foot of the rail: the server's health and version. */
export function SystemStatus({ isNarrow }: { isNarrow: boolean }) {
  const status = useQuery(healthQuery);
  const [tone, words] = status.isError
    ? ["tone-warn", ADMIN_SHELL.systemUnreachable]
    : status.isPending
    ? ["tone-idle", ADMIN_SHELL.systemChecking]
    : status.data.status === "ok"
    ? ["tone-ok", ADMIN_SHELL.systemActive]
    : ["tone-warn", ADMIN_SHELL.attention];
  // The deck is dark in both themes, so it uses the dark tones.
  const dot = <span data-theme="dark" className={`${tone} live-dot block text-tone`} />;
  return (
    <div className="shrink-0 border-t border-white/15 px-4 py-3 text-xs text-ink-2">
      {isNarrow
        ? (
          <div
            className="grid place-items-center"
            role="img"
            title={ADMIN_SHELL.statusWithVersion(words, ADMIN_SHELL.version)}
            aria-label={ADMIN_SHELL.statusWithVersion(words, ADMIN_SHELL.version)}
          >
            {dot}
          </div>
        )
        : (
          <div className="flex items-center justify-between gap-2">
            <span className="inline-flex items-center gap-2">
              {dot}
              {words}
            </span>
            <Num>{ADMIN_SHELL.version}</Num>
          </div>
        )}
    </div>
  );
}
