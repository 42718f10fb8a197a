/**
 * The edge on Deno Deploy, which suspends idle instances: its cron wakes one a minute for the timed duties. The
 * platform accepts only crons at the top of a module, outside conditions, before anything serves. Elsewhere Deno.cron
 * does not exist, and main.ts is the entry. See docs/deploy.md.
 */
import { started } from "./started.ts";
import { runAllDueTicks } from "./ticks.ts";

Deno.cron("duties", "* * * * *", async () => await runAllDueTicks(await started.promise));

// Not a static import: it would run before the cron is registered.
await import("./main.ts");
