/**
 * The edge on Deno Deploy, which puts idle instances to sleep: its cron wakes one a minute for the duties of the clock.
 * The platform takes only crons that stand at the top of a module, in no condition, before anything serves; elsewhere
 * there is no Deno.cron, and main.ts is the entry. docs/deploy.md has the rest.
 */
import { started } from "./started.ts";
import { runAllDueTicks } from "./ticks.ts";

Deno.cron("duties", "* * * * *", async () => await runAllDueTicks(await started.promise));

// Not a static import: that would be evaluated before the cron stands.
await import("./main.ts");
