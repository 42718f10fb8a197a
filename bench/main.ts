/** `deno task bench`: the figures that can be measured on one machine without a peer, on one page. */
import { measureDispatch } from "./dispatch.ts";
import { measureImport } from "./import.ts";
import { measureScreens } from "./screens.ts";

const write = (line: string) => Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));

write(
  `Deno ${Deno.version.deno}, SQLite file, WAL, synchronous=FULL, ${navigator.hardwareConcurrency} cores\n`,
);
await measureDispatch(2_000, 20); // Warms the compiler; a first run would measure that.
for (const batch of [20, 100]) {
  const figures = await measureDispatch(20_000, batch);
  write(
    `dispatch, batch ${batch}: ${
      Math.round(figures.perSecond)
    } deliveries/s leased, acknowledged and reported; ` +
      `a whole round p50 ${figures.roundP50Ms.toFixed(1)} ms, p99 ${figures.roundP99Ms.toFixed(1)} ms ` +
      `(bar: 10,000/s, p99 10 ms at batch 20)`,
  );
}

for (const order of ["ascending", "shuffled"] as const) {
  const figures = await measureImport(1_000_000, order);
  write(
    `import, 1,000,000 ${order} rows: ${figures.seconds.toFixed(1)} s, ${
      Math.round(figures.rssAboveIdleMb)
    } MB above ` +
      `idle, longest block ${Math.round(figures.longestBlockMs)} ms (bar: 2 s, 150 MB, 50 ms)`,
  );
}
for (const { screen, scriptKb, budgetKb } of await measureScreens()) {
  write(`${screen}: ${scriptKb.toFixed(1)} kB brotli (bar: ${budgetKb} kB)`);
}
