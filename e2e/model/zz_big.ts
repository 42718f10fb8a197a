import { checkHistories, plannedHistories } from "/work/wt/i25-plans/e2e/model/histories.ts";
const seed = Number(Deno.args[0]);
const t = await checkHistories({ runs: Number(Deno.args[1]), steps: 60, seed, made: plannedHistories });
console.log([...t].filter(([k]) => /plan|done|histories|^tap$/.test(k)));
