import { useReducer, useRef } from "react";

/**
 * A value kept in this browser with every change, read anew when `key` changes. `read` makes the value of what was
 * kept, an empty record when nothing was; a value without anything in it leaves nothing behind.
 */
export function useKept<Value extends object>(
  key: string,
  read: (kept: Record<string, unknown>) => Value,
): [Value, (changes: Partial<Value>) => void] {
  const held = useRef<{ key: string; value: Value }>(null);
  const [, redraw] = useReducer((changes: number) => changes + 1, 0);
  if (held.current?.key !== key) held.current = { key, value: read(load(key)) };

  function change(changes: Partial<Value>) {
    const isHeld = held.current?.key === key;
    const value = { ...isHeld ? held.current!.value : read(load(key)), ...changes };
    keep(key, value);
    if (!isHeld) return;
    held.current = { key, value };
    redraw();
  }
  return [held.current.value, change];
}

/** Keeps a value, or forgets it when there is nothing in it. */
export function keep(key: string, value: object): void {
  try {
    if (Object.values(value).some(Boolean)) localStorage.setItem(key, JSON.stringify(value));
    else localStorage.removeItem(key);
  } catch {
    // A full or closed storage costs the draft on a reload, not the work on the screen.
  }
}

function load(key: string): Record<string, unknown> {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "{}") ?? {};
  } catch {
    return {};
  }
}
