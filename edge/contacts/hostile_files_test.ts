/** Hostile files, uploaded through the real route: each is read or refused, and the counts of a read file add up. */
import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import { errorBodySchema } from "shared/error_code.ts";
import { uploadResultSchema } from "shared/http_api.ts";
import { openTestApp } from "../testing/test_app.ts";

const RUNS = 400;
const NUMBERS = [
  "0501234567",
  "+972-52-111-1111",
  "05",
  "9.72502E+11",
  "972541111111",
  "=0501234567",
  "٠٥٠١٢٣٤٥٦٧",
];
const FIELDS = ["", '"', '""', '"\n', "טלפון", "\ufeff", "\u0000", "\u202e", "'", "sep=;", "<svg>", "=1+1"];
const soup = fc.array(fc.constantFrom(...NUMBERS, ...FIELDS, ",", ";", "\t", "\r\n", "\n", "\r"), {
  maxLength: 200,
})
  .map((parts) => new TextEncoder().encode(parts.join("")));
const file = fc.oneof(
  { arbitrary: soup, weight: 6 },
  { arbitrary: soup.map(asUtf16), weight: 1 },
  { arbitrary: fc.uint8Array({ maxLength: 2_000 }), weight: 2 },
  // A ZIP (and so a workbook), a quote without an end, one endless row, and empty rows.
  {
    arbitrary: fc.constantFrom(
      "PK\x03\x04",
      '"' + "0".repeat(100_000),
      ",".repeat(100_000),
      "\n".repeat(100_000),
    )
      .map((text) => new TextEncoder().encode(text)),
    weight: 1,
  },
);
const name = fc.constantFrom(
  "a.csv",
  "../../etc/passwd",
  "a.csv\u0000.exe",
  "=cmd.csv",
  "",
  "א".repeat(3_000),
);

Deno.test(`POST /api/campaigns/{id}/contacts reads or refuses each of ${RUNS} hostile files, and counts right`, async () => {
  await using edge = await openTestApp();
  const client = await edge.addPerson();
  const form = new FormData();
  form.set("name", "סתיו");
  form.set("message", "שלום");
  const { id } = await (await client.ask("/api/campaigns", { method: "POST", body: form })).json();
  const seen = new Map<number, number>();
  let added = 0;
  await fc.assert(
    fc.asyncProperty(file, name, fc.constantFrom("text/csv", "image/png", ""), async (bytes, name, type) => {
      const body = new FormData();
      body.set("file", new File([bytes.slice()], name, { type }));
      const answer = await client.ask(`/api/campaigns/${id}/contacts`, { method: "POST", body });
      seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
      const result = await answer.json();
      if (answer.status === 200) added += uploadResultSchema.parse(result).total;
      else assert.ok([400, 415].includes(answer.status) && errorBodySchema.parse(result), `${answer.status}`);
    }),
    { numRuns: RUNS },
  );
  for (const status of [200, 400]) assert.ok(seen.get(status), `no answer was ${status}`);
  const { rows: [row] } = await edge.ctx.db.execute(
    `SELECT (SELECT count(*) FROM deliveries) AS rows, (SELECT queued_count FROM campaigns) AS counted`,
  );
  assert.deepEqual([Number(row!.rows), Number(row!.counted)], [added, added]);
});

function asUtf16(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const text = `\ufeff${new TextDecoder().decode(bytes)}`;
  return new Uint8Array(Uint16Array.from(text, (char) => char.charCodeAt(0)).buffer);
}
