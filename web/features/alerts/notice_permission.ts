/** Whether this browser may tell alerts, as every part of the page reads it. */
import { useSyncExternalStore } from "react";

/** What the browser answered; `unsupported` also where a page without TLS may not ask. */
export type NoticePermission = NotificationPermission | "unsupported";

const UNSUPPORTED_KEY = "shigur.notices-unsupported";
const listeners = new Set<() => void>();
let isUnsupported = false;

/** What the browser says now. */
export function noticePermission(): NoticePermission {
  const isMissing = typeof Notification === "undefined" || !("locks" in navigator);
  return isMissing || isUnsupported || wasUnsupported() ? "unsupported" : Notification.permission;
}

/** noticePermission(), followed through what is asked and learnt in this window. */
export function useNoticePermission(): NoticePermission {
  return useSyncExternalStore(subscribe, noticePermission);
}

/** Lets the browser ask the person in front of it. */
export async function askNoticePermission(): Promise<void> {
  await Notification.requestPermission();
  tellListeners();
}

/**
 * Shows one notification; undefined when the browser cannot. Chrome for Android has the class and the permission, and
 * throws a TypeError from the constructor: it shows only a service worker's. That is remembered, and not tried again.
 */
export function showNotice(title: string, options: NotificationOptions): Notification | undefined {
  try {
    return new Notification(title, options);
  } catch (error) {
    // Of any other reason nobody knows that it lasts.
    if (!(error instanceof TypeError)) return undefined;
    isUnsupported = true;
    try {
      localStorage.setItem(UNSUPPORTED_KEY, "1");
    } catch {
      // A full or forbidden storage: the next page load tries once more.
    }
    tellListeners();
  }
}

function wasUnsupported(): boolean {
  try {
    return localStorage.getItem(UNSUPPORTED_KEY) !== null;
  } catch {
    return false;
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function tellListeners(): void {
  for (const listener of listeners) listener();
}
