/**
 * The stand-in of a remote database as its own process:
 * `deno run hrana_process.ts <file> <delay in ms> <number of doors>`.
 * Every door is a port over the same file, so that a test can see which client changed rows. The first line of output
 * has the doors' URLs. Each later line is a statement that changed rows of the tables that sites report on. It ends
 * when its stdin does.
 */
import { startHranaServer } from "./hrana_server.ts";

/** The first line of output. */
export interface HranaDoors {
  urls: string[];
}

/** A later line: one statement that changed rows of the tables that sites report on. */
export interface SiteChange {
  /** Number of the door it came through, from 0. */
  door: number;
  rows: number;
  sql: string;
}

const OF_SITES =
  /\b(?:UPDATE|INTO|DELETE FROM)\s+(?:deliveries|attempts|resends|devices|accounts|account_days|sites)\b/;

if (import.meta.main) {
  const [path, delayMs, doors] = Deno.args;
  const servers = Array.from({ length: Number(doors) }, (_, door) =>
    startHranaServer({
      path,
      delayMs: Number(delayMs),
      onChange(sql, rows) {
        if (OF_SITES.test(sql)) print({ door, rows, sql });
      },
    }));
  print({ urls: servers.map((server) => server.url) });
  for await (const _ of Deno.stdin.readable);
  await Promise.all(servers.map((server) => server.close()));
}

function print(line: HranaDoors | SiteChange): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${JSON.stringify(line)}\n`));
}
