import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import { HttpError } from "../http/http_error.ts";
import { createWorkbookTurns, MAX_OPEN, MAX_WAITING, MAX_WAITING_OF_PERSON } from "./workbook_turns.ts";

/** Resolves when all that could go on has done so. */
const settled = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

async function refusalOf(turn: Promise<Disposable>): Promise<[string, string | undefined]> {
  const error = await turn.then(() => null, (refused) => refused);
  assert.ok(error instanceof HttpError);
  return [error.code, error.headers?.["retry-after"]];
}

Deno.test("a person with a turn just over comes after everyone else in the line", async () => {
  const turns = createWorkbookTurns();
  const begun: string[] = [];
  const open = new Map<string, Disposable>();
  const ask = (person: number, name: string) =>
    turns.take(person).then((turn) => {
      begun.push(name);
      open.set(name, turn);
    });
  for (const name of ["a1", "a2", "a3"]) void ask(1, name);
  for (const name of ["b1", "b2"]) void ask(2, name);
  void ask(3, "c1");
  await settled();
  assert.deepEqual(begun, ["a1", "b1"], "one of a person, two in all");
  for (const name of ["a1", "b1", "c1", "a2", "b2", "a3"]) {
    const turn = open.get(name)!;
    turn[Symbol.dispose]();
    turn[Symbol.dispose]();
    await settled();
  }
  assert.deepEqual(begun, ["a1", "b1", "c1", "a2", "b2", "a3"]);
  assert.equal(turns.waiting, 0);
});

Deno.test("the line is bounded for a person and in all, and a caller who leaves gives the place back", async () => {
  const turns = createWorkbookTurns();
  const held = await Promise.all(Array.from({ length: MAX_OPEN }, (_, i) => turns.take(-1 - i)));
  const leaver = new AbortController();
  const left = refusalOf(turns.take(1, leaver.signal));
  const own = Array.from({ length: MAX_WAITING_OF_PERSON - 1 }, () => turns.take(1));
  assert.deepEqual(await refusalOf(turns.take(1)), ["too_many_attempts", "5"]);
  leaver.abort();
  assert.deepEqual(await left, ["invalid_input", undefined]);
  own.push(turns.take(1));
  const others = Array.from({ length: MAX_WAITING - turns.waiting }, (_, i) => turns.take(2 + i));
  assert.deepEqual(await refusalOf(turns.take(1_000)), ["too_many_attempts", "5"]);
  assert.deepEqual(await refusalOf(turns.take(1_000, leaver.signal)), ["invalid_input", undefined]);
  for (const turn of held) turn[Symbol.dispose]();
  for (const turn of [...own, ...others]) void turn.then((taken) => taken[Symbol.dispose]());
  await Promise.all([...own, ...others]);
  await settled();
  assert.equal(turns.waiting, 0);
});

Deno.test("in any order of asking, leaving and ending, nobody is forgotten and no bound is passed", async () => {
  const acts = fc.array(
    fc.record({ act: fc.constantFrom("ask", "leave", "end"), person: fc.nat(5), which: fc.nat(9) }),
    { maxLength: 60 },
  );
  await fc.assert(
    fc.asyncProperty(acts, async (steps) => {
      const turns = createWorkbookTurns();
      const open: { person: number; turn: Disposable }[] = [];
      const callers: AbortController[] = [];
      let asked = 0;
      let answered = 0;
      for (const { act, person, which } of steps) {
        if (act === "ask") {
          const caller = new AbortController();
          callers.push(caller);
          asked++;
          void turns.take(person, caller.signal).then((turn) => open.push({ person, turn }), () => {})
            .finally(() => answered++);
        } else if (act === "leave") callers[which]?.abort();
        else open.splice(which % Math.max(1, open.length), 1)[0]?.turn[Symbol.dispose]();
        await settled();
        const people = open.map((one) => one.person);
        assert.ok(people.length <= MAX_OPEN && new Set(people).size === people.length);
        assert.equal(asked - answered, turns.waiting);
      }
      while (open.length > 0) {
        open.pop()!.turn[Symbol.dispose]();
        await settled();
      }
      assert.deepEqual([turns.waiting, answered], [0, asked]);
    }),
    { numRuns: 60 },
  );
});
