import assert from "node:assert/strict";
import { openTestApp } from "../testing/test_app.ts";

async function idOf(answer: Response): Promise<string> {
  await answer.body?.cancel();
  return answer.headers.get("x-request-id")!;
}

Deno.test("requestId() accepts a caller's id of a safe form, and replaces any other", async () => {
  await using edge = await openTestApp();
  const ask = (id: string) => edge.visitor.ask("/api/auth/me", { headers: { "x-request-id": id } });
  for (
    const own of [
      "7b1de0a2c4f64d0f9b3e",
      "0af7651916cd43dd-8448eb211c80319c",
      "550e8400-e29b-41d4-a716-446655440000",
    ]
  ) {
    assert.equal(await idOf(await ask(own)), own);
  }
  for (
    const odd of [
      "short",
      "972543710968",
      "call-972543710968-again",
      "phone_0543710968",
      "a".repeat(65),
      "0123456789abcdef\u00e9",
      "<script>alert(1)</script>",
      "{} ".repeat(8),
    ]
  ) {
    assert.match(await idOf(await ask(odd)), /^[0-9a-f]{16}$/, odd);
  }
});

Deno.test("requestId() is in every log line of its request, and in no other", async () => {
  await using edge = await openTestApp();
  const ids = ["first-request-0001", "second-request-002"];
  await Promise.all(ids.map((id) =>
    edge.visitor.ask("/api/auth/login", {
      method: "POST",
      json: { username: "nobody", password: "0543710968" },
      headers: { "x-request-id": id },
    })
  ));
  const lines = edge.logged.map((line) => JSON.parse(line));
  for (const id of ids) {
    const own = lines.filter(({ requestId }) => requestId === id);
    assert.deepEqual(own.map(({ event }) => event), ["request_refused", "request"]);
    assert.deepEqual([own[1].status, own[1].path, own[1].level], [401, "/api/auth/login", "info"]);
  }
  edge.ctx.log.info("alone", { text: "to +972543710968" });
  const last = JSON.parse(edge.logged.at(-1)!);
  assert.deepEqual([last.requestId, last.text], [undefined, "to •••0968"]);
});
