import assert from "node:assert/strict";
import { readStatus, type SiteStatus } from "../site/site_status.ts";
import { steadyClock } from "../testing/steady_clock.ts";
import { tempFolder } from "../testing/temp_folder.ts";
import { WELL } from "../testing/well_status.ts";
import type { CommandContext } from "./command.ts";
import { keepStatus } from "./keep_status.ts";

Deno.test("keepStatus() writes every five seconds, and soon after a phase and the beginning of work", async () => {
  using clock = steadyClock();
  // The time that the disk takes must not count.
  clock.stepMs = 5;
  const agentDir = await tempFolder();
  const config = { agentDir, edgeUrl: "http://127.0.0.1:1" };
  const keeper = keepStatus({ clock, config, log: () => {} } as unknown as CommandContext);
  const until = async (test: (status: SiteStatus) => boolean) => {
    for (;;) {
      const status = await readStatus(agentDir);
      if (status && test(status)) return status;
      await clock.sleep(25);
    }
  };
  const first = await until(() => true);
  const second = await until(({ writtenAt }) => writtenAt > first.writtenAt);
  assert.ok(second.writtenAt - first.writtenAt >= 5_000, "nothing has changed");
  keeper.phase = "working";
  const working = await until(({ phase }) => phase === "working");
  keeper.look = () => WELL.worksite!;
  const looked = await until(({ worksite }) => worksite !== null);
  assert.ok(looked.writtenAt - second.writtenAt < 5_000, "neither waits for the next of every five seconds");
  assert.ok(working.writtenAt < looked.writtenAt);
  await keeper.end();
  assert.equal((await readStatus(agentDir))?.phase, "ended");
});
