/**
 * A stand-in for Deno Deploy's Deno.cron, for `deno run --preload`: its handler runs immediately, not a minute
 * later. It prints a line when a cron is registered and one when its handler has finished.
 */
const print = (line: object) => Deno.stdout.writeSync(new TextEncoder().encode(`${JSON.stringify(line)}\n`));

Object.defineProperty(Deno, "cron", {
  value: async (name: string, schedule: string, handler: () => Promise<void>) => {
    print({ event: "cron_registered", name, schedule });
    await handler();
    print({ event: "cron_ran", name });
  },
});
