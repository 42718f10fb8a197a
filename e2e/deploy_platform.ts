/**
 * What Deno Deploy has and a local run has not, for `deno run --preload`: Deno.cron, whose handler runs at once instead
 * of a minute later. It prints a line when a cron is registered and one when its handler is through.
 */
const say = (line: object) => Deno.stdout.writeSync(new TextEncoder().encode(`${JSON.stringify(line)}\n`));

Object.defineProperty(Deno, "cron", {
  value: async (name: string, schedule: string, handler: () => Promise<void>) => {
    say({ event: "cron_registered", name, schedule });
    await handler();
    say({ event: "cron_ran", name });
  },
});
