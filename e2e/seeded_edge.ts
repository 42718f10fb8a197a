/** Runs one edge without phones over a named world: the screens' data does not change by itself. */
import { DatabaseSync } from "node:sqlite";
import type { Login } from "./caller.ts";
import { freePort } from "./product.ts";
import { PATIENCE_MS, until } from "./wait.ts";
import { EDGE_PERMISSIONS } from "shared/testing/permissions.ts";

export type World = "empty" | "small" | "busy" | "storm";

const root = new URL("../", import.meta.url).pathname;
const PASSWORD = "olam-katan-2026";

export class SeededEdge {
  private constructor(
    readonly url: string,
    readonly admin: Login,
    /** The first client of the world, or null. */
    readonly client: Login | null,
    private readonly dataDir: string,
    private readonly child: Deno.ChildProcess,
    private readonly stdin: WritableStream<Uint8Array>,
  ) {}

  /**
   * Makes the world in an empty folder and serves it.
   *
   * @throws {Error} when the edge does not respond
   */
  static async start(world: World, webDir: string): Promise<SeededEdge> {
    const dataDir = await Deno.makeTempDir({ prefix: "shigur-world-" });
    const port = freePort();
    const env = { DATA_DIR: dataDir, ADMIN_PASSWORD: PASSWORD, PORT: `${port}`, WEB_DIR: webDir };
    const run = (...args: string[]) =>
      new Deno.Command(Deno.execPath(), {
        args: ["run", "-q", ...EDGE_PERMISSIONS, ...args],
        cwd: root,
        env: { ...env, SHIGUR_PARENT_PIPE: "1" },
        stdin: "piped",
        stdout: "piped",
        stderr: "piped",
      });
    const seeded = await run("edge/commands/seed.ts", world).spawn().output();
    const output = new TextDecoder().decode(seeded.stdout);
    const names = output.match(/Log in as (.+?)(?: and (.+))?, password/);
    if (!names) {
      throw new Error(`The world was not made: ${output}${new TextDecoder().decode(seeded.stderr)}`);
    }
    const child = run("edge/main.ts").spawn();
    void child.stdout.pipeTo(new WritableStream());
    void child.stderr.pipeTo(new WritableStream());
    const url = `http://127.0.0.1:${port}`;
    await until(() => answers(`${url}/readyz`), PATIENCE_MS, "the edge's first answer");
    const login = (username: string, role: Login["role"]) => ({ username, role, password: PASSWORD });
    return new SeededEdge(
      url,
      login(names[1], "admin"),
      names[2] ? login(names[2], "client") : null,
      dataDir,
      child,
      child.stdin,
    );
  }

  /** Writes past data to its database, for which no test could wait. */
  fill(sql: string): void {
    const db = new DatabaseSync(`${this.dataDir}/shigur.db`);
    try {
      db.exec("PRAGMA busy_timeout = 10000");
      db.exec(sql);
    } finally {
      db.close();
    }
  }

  /** Ends the edge by closing its stdin, and removes the folder. */
  async stop(): Promise<void> {
    await this.stdin.close().catch(() => {});
    await this.child.status;
    await Deno.remove(this.dataDir, { recursive: true });
  }
}

async function answers(url: string): Promise<boolean> {
  const response = await fetch(url);
  await response.body?.cancel();
  return response.ok;
}
