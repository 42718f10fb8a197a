const LOCK = `
  import { DatabaseSync } from "node:sqlite";
  const db = new DatabaseSync(Deno.args[0]);
  db.exec("BEGIN IMMEDIATE");
  console.log("locked");
  await Deno.stdin.read(new Uint8Array(1));
  db.exec("COMMIT");
  db.close();
`;

const QUERY = `
  import { DatabaseSync } from "node:sqlite";
  const db = new DatabaseSync(Deno.args[0], { readOnly: true });
  console.log(JSON.stringify(db.prepare(Deno.args[1]).all()));
  db.close();
`;

export interface DatabaseLock extends AsyncDisposable {
  /** Resolves when the lock is free and the process has ended. */
  release(): Promise<void>;
}

/** Lets another process hold the write lock of the SQLite file at `path` until `release()`. */
export async function lockDatabase(path: string): Promise<DatabaseLock> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["eval", LOCK, path],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const reader = child.stdout.getReader();
  await reader.read();
  let released: Promise<void> | undefined;
  async function releaseOnce() {
    await child.stdin.close();
    await reader.cancel();
    await child.status;
  }
  const release = () => released ??= releaseOnce();
  return { release, [Symbol.asyncDispose]: release };
}

/** Returns the rows that another process reads from the SQLite file at `path`: only committed ones. */
export async function queryInOtherProcess(path: string, sql: string): Promise<Record<string, unknown>[]> {
  const { stdout, success } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", QUERY, path, sql],
    stderr: "inherit",
  }).output();
  if (!success) throw new Error(`Cannot query "${path}" from another process`);
  return JSON.parse(new TextDecoder().decode(stdout));
}
