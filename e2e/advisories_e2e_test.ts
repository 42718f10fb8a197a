import assert from "node:assert/strict";
import { type Advisories, askAdvisories } from "./ask_advisories.ts";

for (
  const [severity, kind] of [["high", "flawed"], ["critical", "flawed"], ["low", "clean"], [
    null,
    "clean",
  ]] as const
) {
  Deno.test(`askAdvisories() calls a lock file ${kind} when its worst advisory is ${severity}`, async () => {
    const advisory = {
      id: 1,
      url: "https://registry.example/1",
      title: "a hole",
      severity,
      vulnerable_versions: "<999",
      cwe: [],
      cvss: { score: 8, vectorString: null },
    };
    const answer = severity === null ? {} : { hono: [advisory] };
    assert.equal((await askAt(() => Response.json(answer))).kind, kind);
  });
}

Deno.test("askAdvisories() does not treat a registry without advisories as an all-clear", async () => {
  for (const status of [404, 405, 500]) {
    const { kind, message } = await askAt(() => new Response(null, { status }));
    assert.equal(kind, "no answer");
    assert.ok(message !== "" && !message.includes("http://"), message);
  }
});

/** Asks a registry that returns this response. */
async function askAt(answer: () => Response): Promise<Advisories> {
  const registry = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, answer);
  const advisories = await askAdvisories({ NPM_CONFIG_REGISTRY: `http://127.0.0.1:${registry.addr.port}/` });
  await registry.shutdown();
  return advisories;
}
