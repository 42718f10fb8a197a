/** Finds the place of a toast: the nearest to the bottom of the start edge where it covers no control. */
import { useEffect, useLayoutEffect, useRef, useState } from "react";

/** A rectangle in the window, in CSS pixels. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Control extends Box {
  /** True for the main act of a screen: it is never covered, even where the toast has to cover something. */
  isMain: boolean;
}

export interface ToastPlace {
  side: "start" | "end";
  /** Distance of the toast from the bottom of the window. */
  bottom: number;
}

interface Room {
  /** Of the toast with its margin. */
  width: number;
  height: number;
  windowWidth: number;
  windowHeight: number;
}

export const FIRST_PLACE: ToastPlace = { side: "start", bottom: 0 };
const STEP_PX = 8;
const LOOK_AGAIN_MS = 250;
const CONTROLS = "a[href], button, input, select, textarea, label, summary";
const MAIN_ACTS = ".btn-primary, .btn-error";

/** Returns `held` while it covers nothing, otherwise the first place that does not; a main act stays free in any case. */
export function findToastPlace(room: Room, controls: readonly Control[], held = FIRST_PLACE): ToastPlace {
  const main = controls.filter(({ isMain }) => isMain);
  for (const avoided of [controls, main]) {
    const isFree = (place: ToastPlace) => !avoided.some((control) => overlaps(boxOf(place, room), control));
    if (held.bottom + room.height <= room.windowHeight && isFree(held)) return held;
    for (let bottom = 0; bottom + room.height <= room.windowHeight; bottom += STEP_PX) {
      for (const side of ["start", "end"] as const) {
        if (isFree({ side, bottom })) return { side, bottom };
      }
    }
  }
  return FIRST_PLACE;
}

/** The start edge is the right one. */
function boxOf({ side, bottom }: ToastPlace, { width, height, windowWidth, windowHeight }: Room): Box {
  const left = side === "start" ? windowWidth - width : 0;
  const top = windowHeight - bottom - height;
  return { left, top, right: left + width, bottom: top + height };
}

function overlaps(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** Keeps the toast called `id` clear of the controls on the screen, also after a scroll or a change of the screen. */
export function useToastPlace(id: number | undefined) {
  const region = useRef<HTMLOListElement>(null);
  const [place, setPlace] = useState(FIRST_PLACE);
  const look = () => {
    const element = region.current;
    if (!element || element.childElementCount === 0) return;
    const { width, height } = element.getBoundingClientRect();
    const { innerWidth: windowWidth, innerHeight: windowHeight } = window;
    const room = { width, height, windowWidth, windowHeight };
    setPlace((held) => findToastPlace(room, controlsBeside(element), held));
  };
  useLayoutEffect(() => {
    setPlace(FIRST_PLACE);
    look();
  }, [id]);
  useEffect(() => {
    if (id === undefined) return;
    const timer = setInterval(look, LOOK_AGAIN_MS);
    addEventListener("scroll", look, { capture: true, passive: true });
    addEventListener("resize", look);
    return () => {
      clearInterval(timer);
      removeEventListener("scroll", look, { capture: true });
      removeEventListener("resize", look);
    };
  }, [id]);
  return { region, place };
}

function controlsBeside(toasts: HTMLElement): Control[] {
  return [...document.querySelectorAll<HTMLElement>(CONTROLS)].flatMap((element) => {
    if (toasts.contains(element)) return [];
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const isSeen = right > left && bottom > 0 && top < window.innerHeight;
    return isSeen ? [{ left, top, right, bottom, isMain: element.matches(MAIN_ACTS) }] : [];
  });
}
