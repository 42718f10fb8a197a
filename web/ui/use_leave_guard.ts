import { useContext, useEffect, useState } from "react";
import { UNSAFE_NavigationContext } from "react-router-dom";

export interface LeaveGuard {
  /** True while a way out waits for the person's decision. */
  isAsking: boolean;
  stay: () => void;
  leave: () => void;
}

/** Asks before leaving by other means than the router, while a guard is active. */
let ask: ((goOn: () => void) => void) | undefined;

/**
 * Runs an action that leaves the screen, such as a logout: immediately, or after the question of a screen with
 * unsaved changes.
 */
export function pastLeaveGuard(goOn: () => void): void {
  if (ask) ask(goOn);
  else goOn();
}

/**
 * Blocks every way out of a screen with unsaved changes until the person decides: links, quick jumps, the
 * browser's back button, actions through `pastLeaveGuard()`, and closing the page (with the browser's own
 * question). Redirects, as after the end of a session, are not blocked.
 */
export function useLeaveGuard(isDirty: boolean): LeaveGuard {
  // The router blocks navigation only in its data mode; in every mode it navigates through this object.
  const { navigator } = useContext(UNSAFE_NavigationContext);
  const [goOn, setGoOn] = useState<() => void>();

  useEffect(() => {
    if (!isDirty) return;
    const push = navigator.push;
    navigator.push = (to, state, options) =>
      setGoOn(() => () => (isOnGuard() ? navigator.replace : push)(to, state, options));
    const takeGuardDown = guardHistory((goBack) => setGoOn(() => goBack));
    ask = (away) => setGoOn(() => away);
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", onUnload);
    return () => {
      navigator.push = push;
      takeGuardDown();
      ask = undefined;
      removeEventListener("beforeunload", onUnload);
    };
  }, [isDirty, navigator]);

  return {
    isAsking: goOn !== undefined,
    stay: () => setGoOn(undefined),
    leave: () => {
      setGoOn(undefined);
      goOn?.();
    },
  };
}

/**
 * Pushes a second history entry of the same page. A step back reaches only the first entry, which the router shows
 * without a change. Then the entry is pushed again, and the step is passed on to run later.
 */
function guardHistory(onBack: (goBack: () => void) => void): () => void {
  let isUp = true;
  const stand = () => history.pushState({ ...history.state, isGuard: true }, "");
  function onPopState() {
    if (isOnGuard()) return;
    stand();
    onBack(() => {
      removeEventListener("popstate", onPopState);
      history.go(-2);
    });
  }
  whenStill(() => {
    if (!isUp) return;
    stand();
    addEventListener("popstate", onPopState);
  });
  return () => {
    isUp = false;
    removeEventListener("popstate", onPopState);
    if (isOnGuard()) stepBack();
  };
}

/** Functions that wait for a step back under way, or undefined when there is none. */
let afterStepBack: (() => void)[] | undefined;

/** Goes one step back, which the browser does later; a guard set up meanwhile would take it for a person's step. */
function stepBack(): void {
  const waiting: (() => void)[] = afterStepBack = [];
  const onPopState = () => {
    afterStepBack = undefined;
    for (const goOn of waiting) goOn();
  };
  addEventListener("popstate", onPopState, { once: true });
  history.back();
}

function whenStill(goOn: () => void): void {
  if (afterStepBack) afterStepBack.push(goOn);
  else goOn();
}

function isOnGuard(): boolean {
  return history.state?.isGuard === true;
}
