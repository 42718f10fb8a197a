/** Whose workbook is opened next: a file of a megabyte takes fifty of memory until its rows are taken in. */
import { endIfCallerLeft } from "../http/caller_left.ts";
import { HttpError } from "../http/http_error.ts";

/** Workbooks open at once on one edge; a person has one. */
export const MAX_OPEN = 2;
/** A person's files that wait. */
export const MAX_WAITING_OF_PERSON = 3;
/** Files that wait on one edge: each is held as it came, at most 10 MB. */
export const MAX_WAITING = 20;

const OWN_TEXT = "כמה קובצי אקסל שלכם עדיין נפתחים. אפשר להעלות את הבא כשאחד מהם יסתיים.";
const ALL_TEXT = "הרבה קובצי אקסל נפתחים כרגע במערכת. אפשר לנסות שוב בעוד רגע.";

export interface WorkbookTurns {
  /**
   * Resolves when a person may open a workbook; disposing the turn lets the next one in. After a
   * turn a person comes after everyone else in the line.
   *
   * @throws {HttpError} `too_many_attempts` when too many wait; `invalid_input` when the caller `left`
   */
  take(person: number, left?: AbortSignal): Promise<Disposable>;
  /** Files that wait. */
  readonly waiting: number;
}

/** Returns the turns of one edge. */
export function createWorkbookTurns(): WorkbookTurns {
  const open = new Set<number>();
  /** The waiting files by person; the person who had no turn for longest is the first. */
  const lines = new Map<number, (() => void)[]>();
  let waiting = 0;

  function next(): void {
    for (const [person, line] of lines) {
      if (open.size >= MAX_OPEN) return;
      if (!open.has(person)) line[0]!();
    }
  }

  function turnOf(person: number): Disposable {
    let isOver = false;
    open.add(person);
    return {
      [Symbol.dispose]() {
        if (isOver) return;
        isOver = true;
        open.delete(person);
        const line = lines.get(person);
        if (line !== undefined) {
          lines.delete(person);
          lines.set(person, line);
        }
        next();
      },
    };
  }

  function wait(person: number, left?: AbortSignal): Promise<Disposable> {
    const line = lines.get(person) ?? [];
    if (line.length >= MAX_WAITING_OF_PERSON) throw tooMany(OWN_TEXT);
    if (waiting >= MAX_WAITING) throw tooMany(ALL_TEXT);
    return new Promise((resolve, reject) => {
      const leave = () => {
        left?.removeEventListener("abort", giveUp);
        line.splice(line.indexOf(begin), 1);
        if (line.length === 0) lines.delete(person);
        waiting--;
      };
      const begin = () => {
        leave();
        resolve(turnOf(person));
      };
      const giveUp = () => {
        leave();
        try {
          endIfCallerLeft(left);
        } catch (error) {
          reject(error);
        }
      };
      left?.addEventListener("abort", giveUp);
      line.push(begin);
      lines.set(person, line);
      waiting++;
    });
  }

  return {
    async take(person, left) {
      endIfCallerLeft(left);
      const isFree = open.size < MAX_OPEN && !open.has(person);
      return isFree ? turnOf(person) : await wait(person, left);
    },
    get waiting() {
      return waiting;
    },
  };
}

function tooMany(text: string): HttpError {
  return new HttpError("too_many_attempts", { text, headers: { "retry-after": "5" } });
}

/** The turns of this process. */
export const workbookTurns = createWorkbookTurns();
