import { useReducer, useRef } from "react";

/**
 * Returns a value stored in this browser on every change; it is read again when `key` changes. `read` builds the
 * value from the stored record, which is empty at first. An empty value is removed from storage.
 */
export function useStoredDraft<Value extends object>(
  key: string,
  read: (stored: Record<string, unknown>) => Value,
): [Value, (changes: Partial<Value>) => void] {
  const held = useRef<{ key: string; value: Value }>(null);
  const [, redraw] = useReducer((changes: number) => changes + 1, 0);
  if (held.current?.key !== key) held.current = { key, value: read(load(key)) };

  function change(changes: Partial<Value>) {
    const isHeld = held.current?.key === key;
    const value = { ...isHeld ? held.current!.value : read(load(key)), ...changes };
    storeDraft(key, value);
    if (!isHeld) return;
    held.current = { key, value };
    redraw();
  }
  return [held.current.value, change];
}

/** Stores a value, or removes it when it is empty. */
export function storeDraft(key: string, value: object): void {
  try {
    if (Object.values(value).some(Boolean)) localStorage.setItem(key, JSON.stringify(value));
    else localStorage.removeItem(key);
  } catch {
    // With full or closed storage only a reload loses the draft; the text on the screen stays.
  }
}

function load(key: string): Record<string, unknown> {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "{}") ?? {};
  } catch {
    return {};
  }
}
