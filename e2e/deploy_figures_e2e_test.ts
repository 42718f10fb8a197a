/**
 * Checks deploy/prometheus and deploy/grafana with Debian's promtool, and compares them with the figures of a
 * running edge.
 */
import assert from "node:assert/strict";
import { cp } from "node:fs/promises";
import { commandOf, DEPLOY, readDeployFile, startEdge, UNITS } from "./deploy_page.ts";
import { freePort } from "./product.ts";

const RULES = "prometheus/shigur.rules.yml";
const DASHBOARD = "grafana/shigur.json";
const TOKEN = "a-token-of-tests-0123456789";
/** Metrics that Prometheus itself creates from the scrape. */
const OF_PROMETHEUS = ["up"];

Deno.test("promtool accepts the rules, and their tests pass", async () => {
  const dir = await Deno.makeTempDir();
  await cp(new URL("prometheus/", DEPLOY), dir, { recursive: true });
  const scrape = readDeployFile("prometheus/scrape.yml").replaceAll("/etc/prometheus", dir);
  await Deno.writeTextFile(`${dir}/scrape.yml`, scrape);
  await Deno.writeTextFile(`${dir}/shigur_token`, TOKEN);
  await promtool(["check", "config", `${dir}/scrape.yml`]);
  await promtool(["test", "rules", `${dir}/shigur.rules.test.yml`]);
  await Deno.remove(dir, { recursive: true });
});

Deno.test("every alert leads to a symptom of the runbook", async () => {
  const page = await Deno.readTextFile(new URL("../docs/operations.md", import.meta.url));
  const symptoms = new Set([...page.matchAll(/^\| ([a-z][^|`]*?) +\|/gm)].map(([, symptom]) => symptom));
  const led = [...readDeployFile(RULES).matchAll(/runbook: "docs\/operations\.md: (.*)"/g)].map((
    [, symptom],
  ) => symptom!);
  assert.ok(led.length > 10);
  assert.deepEqual(led.filter((symptom) => !symptoms.has(symptom)), []);
});

Deno.test("every figure named by a rule, the dashboard or the page of figures is one that an edge serves", async () => {
  const figures = await readFigures();
  await promtool(["check", "metrics"], figures);
  const served = new Set([...figures.matchAll(/^\w+/gm)].map(([name]) => name).concat(OF_PROMETHEUS));
  const labelled = new Set(
    [...figures.matchAll(/^(\w+)\{(\w+="[^"]*")\}/gm)].map(([, name, label]) => `${name} ${label}`),
  );
  const families = [...figures.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name);
  assert.deepEqual(documented().sort(), families.sort());
  const expressions = [...ruleExpressions(), ...dashboardExpressions()];
  await checkSyntax(expressions);
  const used = expressions.flatMap(namesIn);
  assert.ok(expressions.every((expression) => namesIn(expression).length > 0));
  assert.deepEqual(used.filter((name) => !served.has(name)), []);
  // A label value with another name would never match a series.
  const pairs = expressions.flatMap(labelsIn);
  assert.ok(pairs.length > 0);
  assert.deepEqual(pairs.filter((pair) => !labelled.has(pair)), []);
});

Deno.test("an expression is taken apart into names and labels, and into nothing else", () => {
  const expression =
    `sum by (job, le) (rate(a_total{job="shigur",state=~"x|y", kind="z"}[5m])) / on (job) group_left () b
    unless c{text="d e(f)"} offset 1h > 1.5e9 and clamp_min(2 * g, 1e9)`;
  assert.deepEqual(namesIn(expression), ["a_total", "b", "c", "g"]);
  assert.deepEqual(labelsIn(expression), ['a_total kind="z"', 'c text="d e(f)"']);
});

/** Returns the figures of an edge that runs by the unit and has a backup. */
async function readFigures(): Promise<string> {
  const dataDir = await Deno.makeTempDir({ prefix: "shigur-figures-" });
  const port = `${freePort()}`;
  const { words } = commandOf(readDeployFile(`systemd/${UNITS.edge}`), port);
  const edge = startEdge(words, { PORT: port, DATA_DIR: dataDir, METRICS_TOKEN: TOKEN });
  try {
    await edge.line('{"event":"edge_ready"');
    const backup = new Deno.Command(Deno.execPath(), {
      args: ["task", "-q", "backup"],
      env: { DATA_DIR: dataDir },
    });
    assert.equal((await backup.output()).code, 0);
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    assert.equal(answer.status, 200);
    return await answer.text();
  } finally {
    await edge.end("SIGTERM");
    await Deno.remove(dataDir, { recursive: true });
  }
}

/** Returns the names in the table of docs/operations.md. */
function documented(): string[] {
  const page = Deno.readTextFileSync(new URL("../docs/operations.md", import.meta.url));
  const [, table] = /^\| figure .*\n((?:\|.*\n)+)/m.exec(page)!;
  return table!.split("\n").flatMap((row) =>
    [...(row.split(" | ")[0]!).matchAll(/`(\w+)/g)].map(([, name]) => name!)
  );
}

/** Returns expressions of one line, or of an indented block. */
function ruleExpressions(): string[] {
  const text = readDeployFile(RULES);
  const found = [...text.matchAll(/^( *)expr: (?:\|\n((?:\1 +.*\n)+)|(.+)\n)/gm)];
  assert.equal(found.length, text.match(/- alert:/g)!.length);
  return found.map(([, , block, line]) => block ?? line!);
}

/** Returns the dashboard's expressions with a fixed length for Grafana's time range. */
function dashboardExpressions(): string[] {
  const found = [...readDeployFile(DASHBOARD).matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g)];
  return found.map(([, text]) => String(JSON.parse(text!)).replaceAll("$__rate_interval", "5m"));
}

/** Checks expressions as rules, because promtool cannot read dashboards. */
async function checkSyntax(expressions: string[]): Promise<void> {
  const path = await Deno.makeTempFile({ suffix: ".yml" });
  const rules = expressions.map((expr, index) => ({ record: `checked:${index}`, expr }));
  await Deno.writeTextFile(path, JSON.stringify({ groups: [{ name: "all", rules }] }));
  await promtool(["check", "rules", path]);
  await Deno.remove(path);
}

const SELECTOR = /([a-z_]\w*)\s*\{([^}]*)\}/g;
const OPERATORS = new Set(["and", "or", "unless", "offset", "bool"]);

/** Returns the names of an expression's series, in order. */
function namesIn(expression: string): string[] {
  const bare = expression
    .replaceAll(/"[^"]*"/g, "")
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, " ")
    .replaceAll(/\b(by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, " ");
  // A function name is followed by a bracket; a number or a duration starts with a digit.
  const names = bare.matchAll(/(?<![\w.])([a-z_]\w*)\b(?!\s*\()/gi);
  return [...names].map(([, name]) => name!).filter((name) => !OPERATORS.has(name));
}

/** Returns each `name label="value"` that an expression selects, without the labels of the scrape. */
function labelsIn(expression: string): string[] {
  return [...expression.matchAll(SELECTOR)].flatMap(([, name, labels]) =>
    [...labels!.matchAll(/\w+="[^"]*"/g)].map(([label]) => label).filter((label) => !label.startsWith("job="))
      .map((label) => `${name} ${label}`)
  );
}

/** Runs promtool and throws with its output when it fails. */
async function promtool(args: string[], input = ""): Promise<void> {
  const child = new Deno.Command("promtool", { args, stdin: "piped", stdout: "piped", stderr: "piped" })
    .spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(input));
  await writer.close();
  const { code, stdout, stderr } = await child.output();
  const output = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("");
  assert.equal(code, 0, output);
}
