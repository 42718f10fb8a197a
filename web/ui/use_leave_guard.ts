import { useContext, useEffect, useState } from "react";
import { UNSAFE_NavigationContext } from "react-router-dom";

export interface LeaveGuard {
  /** Whether a way out was taken and waits for an answer. */
  isAsking: boolean;
  stay: () => void;
  leave: () => void;
}

/** Asks before what is not a way of the router's, while a guard stands. */
let ask: ((goOn: () => void) => void) | undefined;

/** Does at once what leads away, as a logout does, or after the answer of a screen that has something to lose. */
export function pastLeaveGuard(goOn: () => void): void {
  if (ask) ask(goOn);
  else goOn();
}

/**
 * Holds back every way out of a screen while there is something to lose: links and jumps, the browser's way back,
 * what goes by `pastLeaveGuard()`, and closing the page (there the browser asks in its own words). Being sent away,
 * as when a session ends, is not held back.
 */
export function useLeaveGuard(isDirty: boolean): LeaveGuard {
  // The router has no blocker outside its data mode; it navigates through this one object in every mode.
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
 * Puts a second entry of the same page into the browser's history. A step back only reaches the first one, which the
 * router shows without a change; the entry is put back, and the step handed over as something to do later.
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

/** What waits for a step back under way, or undefined when there is none. */
let afterStepBack: (() => void)[] | undefined;

/** The browser steps back some time later; a guard put up meanwhile would take that for a person's step. */
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
