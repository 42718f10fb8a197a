import { type RefObject, useEffect, useState } from "react";
import { STILL_EVERY_MS } from "shared/still.ts";
import { ApiError, apiRequest } from "../../data/api_client.ts";
import { isBlack } from "./is_black.ts";
import { endLook } from "./begin_looks.ts";
import { LOOKS } from "./text.ts";
import { watchSight } from "./watch_sight.ts";

export interface StillView {
  /** Object URL of the newest picture; null before the first. */
  url: string | null;
  /** Time of its arrival. */
  at: number;
  isBlack: boolean;
  /** Why there is no newer picture. */
  problem: string | null;
  /** No further picture comes: the time is over, or the site cannot show screens. */
  isOver: boolean;
}

const NOTHING: StillView = { url: null, at: 0, isBlack: false, problem: null, isOver: false };
/** Tries in a row to reach the edge that holds the site's socket, before the screen says that it was not reached. */
const TRIES_ELSEWHERE = 6;
const ELSEWHERE_AGAIN_MS = 250;
/** Refusals that do not change within a look. */
const FINAL = new Set(["agent_too_old", "look_over", "not_allowed", "not_logged_in"]);
/** Looks whose screen was taken off the page a moment ago. React may put it back at once, and an end is final. */
const leaving = new Map<number, ReturnType<typeof setTimeout>>();

/**
 * Follows a phone's screen: a new picture at most every three seconds, while `box` is in sight on a visible page. Every
 * picture but the newest is given up, and the newest when the look ends.
 */
export function useStill(look: number, until: number, box: RefObject<HTMLElement | null>): StillView {
  const [view, setView] = useState(NOTHING);
  useEffect(() => {
    const ended = new AbortController();
    const sight = watchSight(box.current, ended.signal);
    let url: string | null = null;
    const show = (next: Partial<StillView>) => {
      if (!ended.signal.aborted) setView((before) => ({ ...before, ...next }));
    };
    const forget = () => {
      if (url !== null) URL.revokeObjectURL(url);
      url = null;
    };
    clearTimeout(leaving.get(look));
    const leave = () => endLook(look);
    globalThis.addEventListener("pagehide", leave, { signal: ended.signal });
    const over = setTimeout(() => stop(LOOKS.overShort), Math.max(0, until - Date.now()));

    function stop(problem: string | null) {
      forget();
      show({ ...NOTHING, problem, isOver: true });
      ended.abort();
    }

    async function follow(): Promise<void> {
      let elsewhere = 0;
      while (!ended.signal.aborted) {
        await sight.untilSeen();
        if (ended.signal.aborted) return;
        const beganAt = Date.now();
        let againMs = STILL_EVERY_MS;
        const asking = sight.whileSeen();
        try {
          const answer = await apiRequest("POST", `/api/admin/looks/${look}/still`, {
            signal: asking.signal,
          });
          const picture = await answer.blob();
          const black = await isBlack(picture);
          if (ended.signal.aborted) return;
          forget();
          url = URL.createObjectURL(picture);
          elsewhere = 0;
          show({ url, at: Date.now(), isBlack: black, problem: null });
        } catch (error) {
          if (ended.signal.aborted) return;
          // The page was hidden meanwhile: the next picture is asked for when it is seen again.
          if (asking.signal.aborted) continue;
          const code = error instanceof ApiError ? error.code : undefined;
          if (code !== undefined && FINAL.has(code)) return stop(problemOf(error));
          elsewhere = code === "site_elsewhere" ? elsewhere + 1 : 0;
          if (elsewhere > 0 && elsewhere < TRIES_ELSEWHERE) againMs = ELSEWHERE_AGAIN_MS;
          else show({ problem: elsewhere > 0 ? LOOKS.elsewhere : problemOf(error) });
        } finally {
          asking.done();
        }
        await sleep(againMs - (Date.now() - beganAt), ended.signal);
      }
    }

    void follow();
    return () => {
      clearTimeout(over);
      ended.abort();
      forget();
      leaving.set(
        look,
        setTimeout(() => {
          leaving.delete(look);
          endLook(look);
        }),
      );
    };
  }, [look]);
  return view;
}

function problemOf(error: unknown): string {
  if (error instanceof ApiError) return error.serverText ?? LOOKS.failed;
  return error instanceof TypeError ? LOOKS.offline : LOOKS.failed;
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, Math.max(0, ms));
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    }, { once: true });
  });
}
