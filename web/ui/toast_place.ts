/** Finds the place of a toast: the nearest to the bottom of the start edge where it covers no control. */
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

/**
 * Keeps the region of the toasts where a toast covers no control: when it appears, after a scroll, and after a change of
 * the screen. Returns the function that ends it.
 */
export function keepClear(region: HTMLElement): () => void {
  let place = FIRST_PLACE;
  let timer: ReturnType<typeof setInterval> | undefined;
  function look() {
    if (region.childElementCount === 0) return;
    const { width, height } = region.getBoundingClientRect();
    const { innerWidth: windowWidth, innerHeight: windowHeight } = window;
    place = findToastPlace({ width, height, windowWidth, windowHeight }, controlsBeside(region), place);
    region.style.bottom = `${place.bottom}px`;
    region.style.insetInlineStart = place.side === "start" ? "0" : "auto";
    region.style.insetInlineEnd = place.side === "end" ? "0" : "auto";
  }
  function watch() {
    clearInterval(timer);
    look();
    if (region.childElementCount > 0) timer = setInterval(look, LOOK_AGAIN_MS);
  }
  const toasts = new MutationObserver(watch);
  toasts.observe(region, { childList: true });
  addEventListener("scroll", look, { capture: true, passive: true });
  addEventListener("resize", look);
  watch();
  return () => {
    clearInterval(timer);
    toasts.disconnect();
    removeEventListener("scroll", look, { capture: true });
    removeEventListener("resize", look);
  };
}

function controlsBeside(toasts: HTMLElement): Control[] {
  return [...document.querySelectorAll<HTMLElement>(CONTROLS)].flatMap((element) => {
    if (toasts.contains(element)) return [];
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const isSeen = right > left && bottom > 0 && top < innerHeight;
    return isSeen ? [{ left, top, right, bottom, isMain: element.matches(MAIN_ACTS) }] : [];
  });
}
