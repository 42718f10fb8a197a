import assert from "node:assert/strict";
import { beginAgain } from "../backup/begin_again.ts";
import { openAdminHouse } from "../testing/admin_house.ts";
import { PROOF, TEST_PASSWORD, type TestPerson } from "../testing/test_app.ts";

async function answerOf(person: Pick<TestPerson, "ask">, path: string, json?: unknown, method = "POST") {
  const answer = await person.ask(path, { method, json });
  return answer.ok ? [answer.status] : [answer.status, (await answer.json()).code];
}

Deno.test("after a restore colleagues wait until the owner confirms them, and no open invitation works", async () => {
  await using house = await openAdminHouse();
  const { edge } = house;
  const owner = await edge.addPerson();
  const [writer, sender] = [
    await edge.addColleague(owner, "writer"),
    await edge.addColleague(owner, "sender"),
  ];
  const invited = { method: "POST", json: { label: "נועה", duty: "reader", proof: PROOF } };
  const { token } = await (await owner.ask("/api/invitations", invited)).json();
  await beginAgain(edge.ctx);

  const login = ({ username }: TestPerson, password = TEST_PASSWORD) =>
    answerOf(edge.visitor, "/api/auth/login", { username, password });
  assert.deepEqual(await login(writer), [403, "person_waits"]);
  assert.deepEqual(
    await login(writer, "wrong password"),
    [401, "wrong_credentials"],
    "only the right one says so",
  );
  assert.deepEqual(
    await answerOf(edge.visitor, "/api/join", {
      token,
      username: "noa",
      password: TEST_PASSWORD,
    }),
    [409, "invitation_over"],
  );

  const answer = await edge.visitor.ask("/api/auth/login", {
    method: "POST",
    json: { username: owner.username, password: TEST_PASSWORD },
  });
  assert.equal(answer.status, 200, "an owner does not wait");
  const cookie = answer.headers.getSetCookie()[0]!.split(";")[0]!;
  const again = edge.knownPerson({ ...owner, cookie });
  const { people } = await (await again.ask("/api/people")).json();
  assert.deepEqual(people.map(({ waits }: { waits: boolean }) => waits), [false, true, true]);
  assert.deepEqual(await answerOf(again, `/api/people/${writer.id}/confirm`, { proof: PROOF }), [204]);
  assert.deepEqual(await answerOf(again, `/api/people/${sender.id}`, undefined, "DELETE"), [204]);
  assert.deepEqual(await login(writer), [200]);
  assert.deepEqual(await login(sender), [401, "wrong_credentials"]);
  const { rows } = await edge.ctx.db.execute(
    "SELECT actor_name FROM audit_log WHERE kind = 'person_confirmed'",
  );
  assert.deepEqual(rows.map((row) => row.actor_name), [owner.username]);
});
