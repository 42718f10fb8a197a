import assert from "node:assert/strict";

/** Compares docs/security.md with the standard's numbering and with the tests that it names. */
const root = new URL("../", import.meta.url).pathname;
const text = await Deno.readTextFile(`${root}docs/security.md`);

/** Requirements of levels 1 and 2 of OWASP ASVS 5.0.0: section, and the numbers in it. */
const NUMBERS =
  `1.1:1-2 1.2:1-9 1.3:1-11 1.4:1-3 1.5:1-2 2.1:1-3 2.2:1-3 2.3:1-4 2.4:1 3.2:1-2 3.3:1-4 3.4:1-6
  3.5:1-5 3.7:1-2 4.1:1-3 4.2:1 4.3:1-2 4.4:1-4 5.1:1 5.2:1-3 5.3:1-2 5.4:1-3 6.1:1-3 6.2:1-12 6.3:1-4
  6.4:1-4 6.5:1-5 6.6:1-3 6.8:1-4 7.1:1-3 7.2:1-4 7.3:1-2 7.4:1-5 7.5:1-2 7.6:1-2 8.1:1-2 8.2:1-3
  8.3:1 8.4:1 9.1:1-3 9.2:1-4 10.1:1-2 10.2:1-2 10.3:1-4 10.4:1-11 10.5:1-5 10.6:1-2 10.7:1-3 11.1:1-2
  11.2:1-3 11.3:1-3 11.4:1-4 11.5:1 11.6:1 12.1:1-3 12.2:1-2 12.3:1-4 13.1:1 13.2:1-5 13.3:1-2
  13.4:1-5 14.1:1-2 14.2:1-4 14.3:1-3 15.1:1-3 15.2:1-3 15.3:1-7 16.1:1 16.2:1-5 16.3:1-4 16.4:1-3
  16.5:1-3 17.1:1 17.2:1-4 17.3:1-2`;

Deno.test("docs/security.md has every requirement of levels 1 and 2 once, and no other", () => {
  const asked = NUMBERS.split(/\s+/).flatMap((section) => {
    const [name, numbers] = section.split(":") as [string, string];
    return numbers.split(",").flatMap((range) => numbersIn(range).map((number) => `${name}.${number}`));
  });
  assert.equal(asked.length, 253);
  const answered = rows().flatMap(({ ids }) =>
    ids.split(", ").flatMap((one) => {
      const [from, to = from] = one.split("–") as [string, string?];
      const section = from.slice(0, from.lastIndexOf("."));
      assert.ok(to.startsWith(`${section}.`), one);
      return numbersIn(`${last(from)}-${last(to)}`).map((number) => `${section}.${number}`);
    })
  );
  assert.deepEqual(answered.sort(), asked.sort());
});

Deno.test("every row of docs/security.md has a status, and a row kept by code names its test", () => {
  for (const { ids, mark, here } of rows()) {
    assert.match(mark, /^[✓½✗–]$/, ids);
    assert.ok(here.length > 0, ids);
  }
  const proven = rows().filter(({ mark, proof }) => mark === "✓" && proof !== "").length;
  assert.ok(proven > 100, `only ${proven} rows name a test`);
});

Deno.test("docs/security.md names tests that exist", async () => {
  const missing: string[] = [];
  for (const { ids, proof } of rows()) {
    for (const cited of proof === "" ? [] : proof.split("; ")) {
      const [, path, words] = /^`([\w./-]+_test\.tsx?)` "(.+)"$/.exec(cited) ?? [];
      const source = path && await Deno.readTextFile(root + path).catch(() => "");
      if (!source || !namesOf(source).some((name) => name.includes(words!))) missing.push(`${ids}: ${cited}`);
    }
  }
  assert.deepEqual(missing, []);
});

function rows() {
  return [...text.matchAll(/^\| (\d.*) \|$/gm)].map(([, row]) => {
    const [ids, asks, mark, here, proof] = row!.split(" | ").map((cell) => cell.trim());
    return { ids: ids!, asks: asks!, mark: mark!, here: here!, proof: proof ?? "" };
  });
}

/** Returns the names of a file's tests, as written in its source. */
function namesOf(source: string): string[] {
  const literals = source.matchAll(/Deno\.test\(\s*(?:\{\s*name:\s*)?(["'`])((?:\\.|(?!\1).)*)\1/gs);
  return [...literals].map(([, , name]) => name!);
}

function numbersIn(range: string): number[] {
  const [from, to = from] = range.split("-").map(Number) as [number, number?];
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

const last = (id: string): string => id.slice(id.lastIndexOf(".") + 1);
