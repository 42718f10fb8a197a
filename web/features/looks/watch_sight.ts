/** Watches whether an element is in sight on a visible page, until the signal aborts. */
export function watchSight(box: HTMLElement | null, signal: AbortSignal) {
  const listeners = new Set<() => void>();
  // A browser without this observer counts everything as in sight.
  let isNear = typeof IntersectionObserver === "undefined" || box === null;
  const isSeen = () => isNear && document.visibilityState !== "hidden";
  const changed = () => listeners.forEach((listener) => listener());
  document.addEventListener("visibilitychange", changed, { signal });
  signal.addEventListener("abort", changed, { once: true });
  if (!isNear) {
    const observer = new IntersectionObserver((entries) => {
      isNear = entries.at(-1)!.isIntersecting;
      changed();
    });
    observer.observe(box!);
    signal.addEventListener("abort", () => observer.disconnect(), { once: true });
  }
  return {
    /** Resolves when the element is seen, or the watch has ended. */
    untilSeen(): Promise<void> {
      return new Promise((resolve) => {
        const look = () => {
          if (!isSeen() && !signal.aborted) return;
          listeners.delete(look);
          resolve();
        };
        listeners.add(look);
        look();
      });
    },
    /** Returns a signal that aborts as soon as the element is not seen, or the watch ends; `done` lets it go. */
    whileSeen() {
      const hidden = new AbortController();
      const look = () => {
        if (!isSeen() || signal.aborted) hidden.abort();
      };
      listeners.add(look);
      look();
      return { signal: hidden.signal, done: () => void listeners.delete(look) };
    },
  };
}
