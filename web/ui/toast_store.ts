/** The toasts: at most one at a time, stored after dismissal until its removal delay is over. */

export interface Toast {
  id: number;
  title: string;
  description?: string;
  tone: "live" | "ok" | "bad";
  open: boolean;
}

const TOAST_LIMIT = 1;
/** Minimum time a toast is shown, and the letters that a slow reader in a second language reads in that time. */
const LEAST_MS = 5000;
const READ_IN_LEAST = 50;
const LETTER_MS = 100;
/** Time a dismissed, invisible toast stays in the store. */
export const TOAST_REMOVE_DELAY_MS = 1_000_000;

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();
const removals = new Map<number, ReturnType<typeof setTimeout>>();

/** Shows one toast; it replaces the earlier one. */
export function showToast(toast: { title: string; description?: string; tone?: Toast["tone"] }): void {
  const shown: Toast = { tone: "live", ...toast, id: ++lastId, open: true };
  setToasts([shown, ...toasts].slice(0, TOAST_LIMIT));
}

/**
 * Returns how long a toast is shown, in ms, from its reading time. An error asks for an action, so a longer text
 * of an error is shown twice as long.
 */
export function shownFor({ title, description = "", tone }: Toast): number {
  const more = Math.max(0, title.length + description.length - READ_IN_LEAST);
  return LEAST_MS + more * LETTER_MS * (tone === "bad" ? 2 : 1);
}

/** Hides a toast, and removes it after the removal delay. */
export function dismissToast(id: number): void {
  setToasts(toasts.map((toast) => toast.id === id ? { ...toast, open: false } : toast));
  if (removals.has(id)) return;
  removals.set(
    id,
    setTimeout(() => {
      removals.delete(id);
      setToasts(toasts.filter((toast) => toast.id !== id));
    }, TOAST_REMOVE_DELAY_MS),
  );
}

/** Removes every toast and every waiting removal. */
export function clearToasts(): void {
  for (const timer of removals.values()) clearTimeout(timer);
  removals.clear();
  setToasts([]);
}

/** Returns the present toasts; the same array until something changes. */
export function readToasts(): readonly Toast[] {
  return toasts;
}

/** Calls `listener` after every change; returns a function that unsubscribes it. */
export function subscribeToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function setToasts(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}
