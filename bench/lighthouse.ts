/**
 * `deno task bench:lighthouse [runs] [page]`: measures Lighthouse's scores (desktop preset) of the pages that have
 * a limit, as the median of three runs or of `runs`. Lighthouse is bigger than all our packages together, so it
 * has its own cache in .data/ and is in no import map.
 */
import { chromium } from "playwright-core";
import { Caller } from "../e2e/caller.ts";
import { freePort } from "../e2e/product.ts";
import { SeededEdge } from "../e2e/seeded_edge.ts";
import { buildWeb } from "../web/build/build.ts";

const LIGHTHOUSE = "npm:lighthouse@13.5.0";
const CATEGORIES = ["performance", "accessibility", "best-practices"] as const;
/** Components of the performance score. */
const METRICS = [
  "first-contentful-paint",
  "largest-contentful-paint",
  "total-blocking-time",
  "cumulative-layout-shift",
  "speed-index",
];
const CACHE = new URL("../.data/lighthouse/", import.meta.url).pathname;
const WEB_DIR = new URL("../web/dist/", import.meta.url).pathname;

interface Page {
  name: string;
  path: string;
  role?: "admin" | "client";
  performanceBar: number;
}

const PAGES: readonly Page[] = [
  { name: "landing", path: "/", performanceBar: 95 },
  { name: "login", path: "/login", performanceBar: 95 },
  { name: "client home", path: "/client", role: "client", performanceBar: 95 },
  { name: "dashboard", path: "/admin", role: "admin", performanceBar: 90 },
];

interface Report {
  categories: Record<string, { score: number | null; auditRefs: { id: string }[] }>;
  audits: Record<
    string,
    { score: number | null; scoreDisplayMode: string; title: string; displayValue?: string }
  >;
}

const write = (line: string) => Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
const runs = Number(Deno.args[0] ?? 3);
const named = Deno.args[1];
await Deno.mkdir(CACHE, { recursive: true });

await buildWeb({ outDir: WEB_DIR, library: "preact", minify: true, compress: "best" });
const edge = await SeededEdge.start("small", WEB_DIR);
try {
  for (const page of PAGES.filter(({ name }) => named === undefined || name === named)) await measure(page);
} finally {
  await edge.stop();
}

async function measure({ name, path, role, performanceBar }: Page): Promise<void> {
  const reports: Report[] = [];
  for (let run = 0; run < runs; run++) reports.push(await loadedOnce(edge.url + path, role));
  const scores = CATEGORIES.map((category) => {
    const sorted = reports.map(({ categories }) => (categories[category]?.score ?? 0) * 100).sort((a, b) =>
      a - b
    );
    return `${category} ${Math.round(sorted[Math.floor(sorted.length / 2)]!)}`;
  });
  write(`${name}: ${scores.join(", ")} (bar: ${performanceBar}, 100, 100)`);
  for (const { audits } of reports) {
    write(`  ${METRICS.map((metric) => `${metric} ${audits[metric]?.displayValue}`).join(", ")}`);
  }
  for (const title of new Set(reports.flatMap(shortcomings))) write(`  ${title}`);
}

/** On a busy machine Lighthouse sometimes loses the trace of a load and asks for another run. */
async function loadedOnce(url: string, role: Page["role"]): Promise<Report> {
  return await inBrowser(url, role).catch(() => inBrowser(url, role)).catch(() => inBrowser(url, role));
}

/** Opens a browser with the role's session, and lets Lighthouse load the page in it. */
async function inBrowser(url: string, role: Page["role"]): Promise<Report> {
  const profile = await Deno.makeTempDir({ prefix: "shigur-lighthouse-" });
  const port = freePort();
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", `--remote-debugging-port=${port}`],
  });
  try {
    if (role) {
      const { cookie } = await Caller.login(edge.url, role === "admin" ? edge.admin : edge.client!);
      await context.addCookies(
        cookie.split("; ").map((pair) => ({
          name: pair.split("=")[0]!,
          value: pair.split("=")[1]!,
          url: edge.url,
        })),
      );
    }
    return await lighthouse(url, port);
  } finally {
    await context.close();
    await Deno.remove(profile, { recursive: true });
  }
}

async function lighthouse(url: string, port: number): Promise<Report> {
  const { stdout, stderr, success } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "-A", "-q", "--no-config", "--no-lock", "--node-modules-dir=none", LIGHTHOUSE, url],
      ...[`--port=${port}`, "--preset=desktop", "--disable-storage-reset", "--quiet"],
      ...["--output=json", "--output-path=stdout", `--only-categories=${CATEGORIES.join(",")}`],
    ],
    cwd: CACHE,
    env: { DENO_DIR: CACHE },
  }).output();
  if (!success) throw new Error(`Cannot measure ${url}: ${new TextDecoder().decode(stderr).slice(-2000)}`);
  return JSON.parse(new TextDecoder().decode(stdout));
}

/** Returns the audits that keep accessibility and best practices below 100. */
function shortcomings({ categories, audits }: Report): string[] {
  return ["accessibility", "best-practices"].flatMap((category) =>
    categories[category]!.auditRefs.map(({ id }) => audits[id]!)
      .filter(({ score, scoreDisplayMode }) => score !== null && score < 1 && scoreDisplayMode === "binary")
      .map(({ title }) => `${category}: ${title}`)
  );
}
