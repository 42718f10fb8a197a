import { useQuery } from "@tanstack/react-query";
import { MonitorSmartphone } from "lucide-react";
import { useState } from "react";
import type { Session } from "shared/http_api.ts";
import { ACCOUNT } from "./text/account.ts";
import { browserName } from "./text/browser_name.ts";
import { formatAge, formatMoment } from "../../text/format.ts";
import { FailedBox } from "../../ui/failed_box.tsx";
import { Mark } from "../../ui/mark.tsx";
import { lazyPart } from "../../ui/lazy_part.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useNow } from "../../ui/use_now.ts";
import { sessionsQuery } from "./get_sessions.ts";

const AGE_STEP_MS = 10_000;

const EndSessionsDialog = lazyPart(async () => (await import("./end_sessions_dialog.tsx")).EndSessionsDialog);

/** Lists the account's sessions, with a button that ends all but this one. */
export function SessionList({ username }: { username: string }) {
  const sessions = useQuery(sessionsQuery);
  return (
    <section className="sheet p-5" aria-labelledby="ses-h">
      <h2 id="ses-h" className="text-lg font-bold">{ACCOUNT.sessionsHeading}</h2>
      <p className="mt-1 mb-4 text-sm text-ink-2">{ACCOUNT.sessionsHint}</p>
      {sessions.data
        ? <Loaded sessions={sessions.data} username={username} />
        : sessions.isError
        ? <FailedBox title={ACCOUNT.failed} error={sessions.error} onRetry={sessions.refetch} />
        : <Skeleton text={ACCOUNT.loading} />}
    </section>
  );
}

function Loaded({ sessions, username }: { sessions: Session[]; username: string }) {
  const now = useNow(AGE_STEP_MS);
  const [isAsking, setAsking] = useState(false);
  const others = sessions.filter(({ isThis }) => !isThis).length;
  return (
    <>
      <ul className="divide-y divide-base-300">
        {sessions.map((session, index) => (
          <li key={index} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-3">
            <span className="min-w-0 grow">
              <span className="block font-semibold" title={session.userAgent}>
                {browserName(session.userAgent)}
              </span>
              <span className="text-sm text-ink-2">
                {ACCOUNT.since(formatMoment(session.createdAt, now))} ·{" "}
                {ACCOUNT.seen(formatAge(now - session.lastSeenAt))}
              </span>
            </span>
            {session.isThis && <Mark tone="live" icon={MonitorSmartphone} label={ACCOUNT.thisSession} />}
          </li>
        ))}
      </ul>
      {others === 0 ? <p className="mt-2 text-sm text-ink-3">{ACCOUNT.onlyThis}</p> : (
        <button
          type="button"
          className="btn btn-outline btn-error mt-4"
          onClick={() => setAsking(true)}
        >
          {ACCOUNT.endOthers}
        </button>
      )}
      {isAsking && <EndSessionsDialog username={username} others={others} onClose={() => setAsking(false)} />}
    </>
  );
}
