import assert from "node:assert/strict";
import { systemClock } from "../time/system_clock.ts";
import { GroupCommit } from "./group_commit.ts";
import { Journal } from "./journal.ts";
import { JournalWriteError } from "./journal_file.ts";

Deno.test("GroupCommit writes calls that arrive together as one change of the journal", async () => {
  const { journal, commits } = setup();
  journal.helloAnswered();
  const before = journal.counter;
  const results = await Promise.all(["a", "b"].map((device) =>
    commits.run(() => {
      journal.setStopped(device, true);
      return device;
    })
  ));
  assert.deepEqual(results, ["a", "b"]);
  assert.equal(journal.counter, before + 1);
});

Deno.test("GroupCommit rejects every call of a group when the journal cannot be written", async () => {
  const { journal, commits } = setup();
  const waiting = [commits.run(() => 1), commits.run(() => 2)];
  journal.close();
  for (const one of waiting) await assert.rejects(one, JournalWriteError);
});

function setup() {
  const journal = new Journal(":memory:", { now: () => 1, newId: () => "1".repeat(32) });
  return { journal, commits: new GroupCommit({ journal, clock: systemClock }) };
}
