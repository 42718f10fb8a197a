import { useEffect, useReducer, useRef } from "react";

/** The same draft in another tab of this browser. */
export interface DraftElsewhere {
  /**
   * alone = no other tab wrote it; mirrored = another tab wrote it, and this one shows the same; apart = both were
   * written at once: this tab stores nothing until a person chose.
   */
  state: "alone" | "mirrored" | "apart";
  /** Ends `apart` with the other tab's draft. */
  takeTheirs: () => void;
  /** Ends `apart` with this tab's draft, which replaces the stored one. */
  keepMine: () => void;
}

interface Held<Value> {
  key: string;
  value: Value;
  /** The stored text that this tab knows. */
  seen: string | null;
  state: DraftElsewhere["state"];
}

/**
 * Returns a value stored in this browser on every change; it is read again when `key` changes, and when another tab
 * changes it. `read` builds the value from the stored record, which is empty at first. An empty value is removed from
 * storage. A value that another tab changed unseen is not overwritten.
 */
export function useStoredDraft<Value extends object>(
  key: string,
  read: (stored: Record<string, unknown>) => Value,
): [Value, (changes: Partial<Value>) => void, DraftElsewhere] {
  const held = useRef<Held<Value>>(null);
  const [, redraw] = useReducer((changes: number) => changes + 1, 0);
  if (held.current?.key !== key) held.current = { key, ...fromStorage(key, read), state: "alone" };

  useEffect(() => {
    // Only other tabs' changes cause this event (HTML standard, "broadcast").
    function adopt(event: StorageEvent) {
      const mine = held.current!;
      if (event.key !== key || mine.key !== key || mine.state === "apart") return;
      const theirs = fromStorage(key, read);
      if (theirs.seen === mine.seen) return;
      held.current = { key, ...theirs, state: "mirrored" };
      redraw();
    }
    addEventListener("storage", adopt);
    return () => removeEventListener("storage", adopt);
  }, [key]);

  function change(changes: Partial<Value>) {
    const mine = held.current?.key === key ? held.current : undefined;
    const value = { ...mine ? mine.value : fromStorage(key, read).value, ...changes };
    const isApart = mine !== undefined && (mine.state === "apart" || stored(key) !== mine.seen);
    if (!isApart) storeDraft(key, value);
    if (!mine) return;
    held.current = isApart ? { ...mine, value, state: "apart" } : { ...mine, value, seen: stored(key) };
    redraw();
  }
  const elsewhere: DraftElsewhere = {
    state: held.current.state,
    takeTheirs() {
      held.current = { key, ...fromStorage(key, read), state: "mirrored" };
      redraw();
    },
    keepMine() {
      const { value } = held.current!;
      storeDraft(key, value);
      held.current = { key, value, seen: stored(key), state: "mirrored" };
      redraw();
    },
  };
  return [held.current.value, change, elsewhere];
}

/** Returns what is stored, once. */
export function readStoredDraft<Value>(
  key: string,
  read: (stored: Record<string, unknown>) => Value,
): Value {
  return fromStorage(key, read).value;
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

function fromStorage<Value>(
  key: string,
  read: (stored: Record<string, unknown>) => Value,
): { value: Value; seen: string | null } {
  const seen = stored(key);
  try {
    return { value: read(JSON.parse(seen ?? "{}") ?? {}), seen };
  } catch {
    return { value: read({}), seen };
  }
}

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
