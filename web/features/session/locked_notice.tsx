import { type ReactNode, useEffect, useState } from "react";
import { ApiError } from "../../data/api_client.ts";
import { LOCKED } from "./text/locked.ts";

const SECOND_MS = 1000;

/** Returns the notice about a lock-out, or null for another failure of a login. */
export function lockedNotice(error: unknown): ReactNode {
  if (!(error instanceof ApiError) || error.code !== "too_many_attempts") return null;
  if (error.retryAfterSeconds === undefined) return null;
  const until = Date.now() + error.retryAfterSeconds * SECOND_MS;
  return <LockedNotice key={until} until={until} />;
}

/** Says beside the field how long no try is accepted, counting down. A screen reader hears it once. */
function LockedNotice({ until }: { until: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, [until]);
  const seconds = Math.max(0, Math.ceil((until - now) / SECOND_MS));
  return (
    <p id="login-locked" className="tone-bad mt-1 text-sm text-tone" role="alert" aria-atomic="false">
      {seconds === 0 ? LOCKED.over : (
        <>
          {LOCKED.locked} <span className="num" aria-live="off">{clockOf(seconds)}</span> {LOCKED.minutes}
        </>
      )}
    </p>
  );
}

/** "14:32" minutes and seconds. */
function clockOf(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
