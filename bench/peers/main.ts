/** `deno task bench:peers [queue|csv|fanout] [--json]`: what others make of this machine, in turn with us. */
import { runParts } from "../run_parts.ts";
import { csv } from "./csv.ts";
import { fanout } from "./fanout.ts";
import { queue } from "./queue.ts";

if (!await runParts([queue, csv, fanout], Deno.args)) Deno.exit(1);
