import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { importNames, productFiles, sourceFiles } from "./source_files.ts";

/**
 * The rooms of each part in dependency order: a room may import only earlier rooms, so there are no cycles. A name
 * in `.ts` is a file beside the rooms. Tests, and files in `testing/`, may import any room.
 */
const LAYERS: Record<string, readonly string[]> = {
  edge: [
    // Basics that are independent of the product.
    "version.ts",
    "mask_numbers.ts",
    "log.ts",
    "error_fields.ts",
    "config.ts",
    "data_dir.ts",
    "settings/",
    "time/",
    "text/",
    "context.ts",
    "db/",
    "keys/",
    // Log rows that an action writes with its own rows.
    "audit_log/",
    "events/",
    "deliveries/",
    // The HTTP entry and its callers.
    "http/",
    "auth/",
    "numbers/",
    "tables/",
    "staging/",
    "virus_scan/",
    // Rules for sending, and the queue.
    "lawful/",
    "personal/",
    "health/",
    "queue/",
    // Contacts as the lists keep them.
    "people/",
    // Actions of people.
    "privacy/",
    "second_factor/",
    "users/",
    "opt_out/",
    "campaigns/",
    "approvals/",
    "contacts/",
    "suppressions/",
    "lists/",
    "series/",
    "files/",
    // The fleet, and its observers.
    "devices/",
    "stills/",
    "live/",
    "sites/",
    "admin/",
    "alerts/",
    // The process.
    "opening/",
    "backup/",
    "operations/",
    "seed/",
    "describe_calls.ts",
    "app.ts",
    "ticks.ts",
    "commands/",
    "started.ts",
    "main.ts",
    "deploy.ts",
  ],
  agent: [
    "version.ts",
    "exit_error.ts",
    "time/",
    "log.ts",
    "config.ts",
    "adb/",
    "screens/",
    "phone/",
    "journal/",
    "devices/",
    "delivery/",
    "recordings/",
    "rehearsal/",
    "edge/",
    "site/",
    "doctor/",
    "commands/",
    "shipping/",
    "main.ts",
  ],
  simulator: ["phone/", "shell/", "adb_server/", "start_simulator.ts"],
  web: [
    "paths.ts",
    "account_paths.ts",
    "admin_paths.ts",
    "list_paths.ts",
    "series_paths.ts",
    "data/",
    "text/",
    "ui/",
    "features/",
    "routes/",
    "providers.tsx",
    "router.tsx",
    "theme_boot.ts",
    "main.tsx",
    "build/",
  ],
};
const root = new URL("../", import.meta.url).pathname;

for (const [part, rooms] of Object.entries(LAYERS)) {
  Deno.test(`${part}: a room imports only from the rooms below it`, async () => {
    const wrong: string[] = [];
    const seen = new Set<string>();
    for await (const file of productFiles(`${root}${part}`)) {
      const own = roomOf(part, file)!;
      seen.add(own);
      for (const { name, target } of await readImports(file)) {
        const other = roomOf(part, target);
        const isBelow = other === own || other === null || rooms.indexOf(other) < rooms.indexOf(own);
        if (!isBelow || other === "testing/") wrong.push(`${file.slice(root.length)} imports ${name}`);
      }
    }
    assert.deepEqual(wrong, []);
    assert.deepEqual([...seen].sort(), [...rooms].sort());
  });
}

// In e2e/ a world and its members import each other's types.
Deno.test("no files import each other in a circle, tests included", async () => {
  const next = new Map<string, string[]>();
  for (const part of [...Object.keys(LAYERS), "shared", "checks", "bench"]) {
    for await (const file of sourceFiles(`${root}${part}`)) {
      next.set(file, (await readImports(file)).map(({ target }) => target));
    }
  }
  assert.ok(next.size > 1_000, `only ${next.size} files were read`);
  assert.deepEqual(findCircle(next), []);
});

Deno.test("the simulator imports only adb's protocol and the clock of the agent; the agent imports only its command", async () => {
  const wrong: string[] = [];
  for await (const file of productFiles(`${root}simulator`)) {
    for (const { name, target } of await readImports(file)) {
      const isKnown = !target.startsWith(`${root}agent/`) ||
        /^agent\/(adb|time)\//.test(target.slice(root.length));
      if (!isKnown) wrong.push(`${file.slice(root.length)} imports ${name}`);
    }
  }
  for await (const file of productFiles(`${root}agent`)) {
    if (file.endsWith("/commands/simulate.ts")) continue;
    for (const { name, target } of await readImports(file)) {
      if (target.startsWith(`${root}simulator/`)) wrong.push(`${file.slice(root.length)} imports ${name}`);
    }
  }
  assert.deepEqual(wrong, []);
});

Deno.test("findCircle() returns the files of a circle, and nothing where there is none", () => {
  const line = new Map([["a", ["b"]], ["b", ["c"]], ["c", []]]);
  assert.deepEqual(findCircle(line), []);
  assert.deepEqual(findCircle(new Map([...line, ["c", ["b"]]])), ["b", "c"]);
});

/** Returns "queue/" for `edge/queue/send.ts`, "app.ts" for `edge/app.ts`; null for a file of another part. */
function roomOf(part: string, file: string): string | null {
  if (!file.startsWith(`${root}${part}/`)) return null;
  const [first, ...rest] = file.slice(root.length + part.length + 1).split("/");
  return rest.length === 0 ? first! : `${first}/`;
}

async function readImports(file: string): Promise<{ name: string; target: string }[]> {
  return importNames(await Deno.readTextFile(file)).flatMap((name) =>
    name.startsWith(".")
      ? [{ name, target: join(dirname(file), name) }]
      : name.startsWith("shared/")
      ? [{ name, target: root + name }]
      : []
  );
}

/** Returns the files of one import cycle in order; an empty list without a cycle. */
function findCircle(next: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const path: string[] = [];
  function visit(file: string): string[] {
    if (path.includes(file)) return path.slice(path.indexOf(file));
    if (done.has(file)) return [];
    path.push(file);
    for (const other of next.get(file) ?? []) {
      const circle = visit(other);
      if (circle.length > 0) return circle;
    }
    path.pop();
    done.add(file);
    return [];
  }
  for (const file of next.keys()) {
    const circle = visit(file);
    if (circle.length > 0) return circle;
  }
  return [];
}
