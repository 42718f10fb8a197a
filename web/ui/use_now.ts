import { useEffect, useState } from "react";

/** Returns the time in ms, read again every `everyMs`, so that ages on the screen advance. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
