/** This browser's permission for notifications, shared by all parts of the page. */
import { useSyncExternalStore } from "react";

/** The browser's setting; `unsupported` also on a page without TLS, which may not ask. */
export type NoticePermission = NotificationPermission | "unsupported";

const UNSUPPORTED_KEY = "shigur.notices-unsupported";
const listeners = new Set<() => void>();
let isUnsupported = false;

/** Returns the browser's present setting. */
export function noticePermission(): NoticePermission {
  const isMissing = typeof Notification === "undefined" || !("locks" in navigator);
  return isMissing || isUnsupported || wasUnsupported() ? "unsupported" : Notification.permission;
}

/** Returns noticePermission(), and renders again when this window changes it. */
export function useNoticePermission(): NoticePermission {
  return useSyncExternalStore(subscribe, noticePermission);
}

/** Asks the person for permission through the browser. */
export async function askNoticePermission(): Promise<void> {
  await Notification.requestPermission();
  notifyListeners();
}

/**
 * Shows one notification; returns undefined when the browser cannot. Chrome for Android has the class and the
 * permission, but its constructor throws a TypeError: only a service worker can show one. The page remembers that
 * and does not try again.
 */
export function showNotice(title: string, options: NotificationOptions): Notification | undefined {
  try {
    return new Notification(title, options);
  } catch (error) {
    // Other errors may be temporary.
    if (!(error instanceof TypeError)) return undefined;
    isUnsupported = true;
    try {
      localStorage.setItem(UNSUPPORTED_KEY, "1");
    } catch {
      // Storage is full or forbidden: the next page load tries again.
    }
    notifyListeners();
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

function notifyListeners(): void {
  for (const listener of listeners) listener();
}
