/** `deno task bench:peers [queue|csv|fanout] [--json]`: measures other software on this machine, in turn with ours. */
import { runParts } from "../run_parts.ts";
import { csv } from "./csv.ts";
import { fanout } from "./fanout.ts";
import { queue } from "./queue.ts";

if (!await runParts([queue, csv, fanout], Deno.args)) Deno.exit(1);
