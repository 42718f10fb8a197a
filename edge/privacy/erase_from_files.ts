/**
 * Searches stored files for a number in any spelling, and deletes those with it. A file may hold 40 MB and there may be
 * many: the search takes its turns and holds no lock. The deletion, in one transaction with the rest of the erasure,
 * reads only the files that came since.
 */
import type { Client, Transaction } from "@libsql/client/web";
import { createYieldToEventLoop, type YieldToEventLoop } from "../http/yield_to_event_loop.ts";
import { turnByTimer, turnLoop } from "../time/turn_loop.ts";
import { mayHold } from "./numbers_in_files.ts";
import {
  deleteStoredFile,
  dropUnfinished,
  listStoredFiles,
  readStoredFile,
  type StoredFile,
} from "./stored_files.ts";

/** A search begins again for files that came meanwhile; after as many rounds the transaction reads the rest. */
const MAX_ROUNDS = 5;

/** The files that were looked at for one number; the content of a file with the same key is the same. */
export class FileSearch {
  readonly phone: number;
  readonly #holds = new Map<string, boolean>();

  constructor(phone: number) {
    this.phone = phone;
  }

  /** Reads every file that was not yet read for this number; other work takes its turns meanwhile. */
  async run(db: Pick<Client, "execute">): Promise<void> {
    const yieldToEventLoop = createYieldToEventLoop();
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const files = (await listStoredFiles(db)).filter((file) => !this.#holds.has(keyOf(file)));
      if (files.length === 0) return;
      for (const file of files) await this.#read(db, file, turnLoop, yieldToEventLoop);
    }
  }

  /**
   * Deletes every file with the number; its rows are already added or refused. A file that is still to be read is left
   * until then. A false match costs a copy that can be uploaded again.
   */
  async erase(tx: Transaction): Promise<{ removed: number; isWaiting: boolean }> {
    const yieldToEventLoop = createYieldToEventLoop({ turn: turnByTimer });
    let removed = 0;
    let isWaiting = false;
    for (const file of await listStoredFiles(tx)) {
      if (!this.#holds.has(keyOf(file))) await this.#read(tx, file, turnByTimer, yieldToEventLoop);
      if (!this.#holds.get(keyOf(file))) continue;
      if (file.isAwaited) isWaiting = true;
      else removed += (await tx.execute(deleteStoredFile(file))).rowsAffected;
      await yieldToEventLoop();
    }
    return { removed, isWaiting };
  }

  async #read(
    db: Pick<Client, "execute">,
    file: StoredFile,
    turn: () => Promise<void>,
    yieldToEventLoop: YieldToEventLoop,
  ): Promise<void> {
    const text = await readStoredFile(db, file, turn);
    this.#holds.set(keyOf(file), await mayHold(text, this.phone, yieldToEventLoop));
  }
}

/** Deletes staged files that are not there whole: a number may be cut, or still come. Returns the rows removed. */
export async function eraseUnfinished(tx: Transaction): Promise<number> {
  const [chunks] = await tx.batch(dropUnfinished());
  return chunks!.rowsAffected;
}

function keyOf({ kind, id, version }: StoredFile): string {
  return `${kind} ${id} ${version}`;
}
