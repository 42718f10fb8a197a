import { useEffect, useState } from "react";

/** Returns whether the time has come, and renders again when it comes. */
export function useIsOver(until: number): boolean {
  const [isOver, setOver] = useState(Date.now() >= until);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), Math.max(0, until - Date.now()));
    return () => clearTimeout(timer);
  }, [until]);
  return isOver;
}
