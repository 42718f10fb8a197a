/** A person's authenticator application, which turns on the second factor through the doors. */
import { TOTP } from "otpauth";
import assert from "node:assert/strict";
import { cookiesOf, TEST_PASSWORD, type TestApp, type TestPerson } from "./test_app.ts";

export interface Authenticator {
  recoveryCodes: string[];
  secret: string;
  /** Returns the application's code at the edge's time, `steps` half minutes later. */
  code(steps?: number): string;
}

/** Turns on the second factor; `person.ask` continues with the session's new id. */
export async function turnOnSecondFactor(edge: TestApp, person: TestPerson): Promise<Authenticator> {
  const begun = await person.ask("/api/auth/second-factor", {
    method: "POST",
    json: { password: TEST_PASSWORD },
  });
  assert.equal(begun.status, 200);
  const { secret } = await begun.json();
  const code = (steps = 0) => new TOTP({ secret }).generate({ timestamp: edge.clock.now + steps * 30_000 });
  const confirmed = await person.ask("/api/auth/second-factor/confirm", {
    method: "POST",
    json: { code: code() },
  });
  assert.equal(confirmed.status, 200);
  const cookie = cookiesOf(confirmed);
  const { ask } = person;
  person.cookie = cookie;
  person.ask = (path, init = {}) => ask(path, { ...init, headers: { cookie, ...init.headers } });
  return { secret, code, ...await confirmed.json() };
}
