/** Signs the short-lived token that opens each connection of a site. */
import { importJWK, SignJWT } from "jose";
import { AGENT_TOKEN_AUDIENCE } from "shared/agent_protocol.ts";
import type { Identity } from "./identity.ts";

/** Far below the edge's limit: a token is used seconds after it is made. */
const TOKEN_AGE_S = 60;

export class TokenSigner {
  #identity: Identity;
  #now: () => number;
  #newId: () => string;
  #offsetMs = 0;

  constructor(identity: Identity, options: { now: () => number; newId: () => string }) {
    this.#identity = identity;
    this.#now = options.now;
    this.#newId = options.newId;
  }

  /**
   * Takes over the edge's clock (ms since 1970). Tokens are signed in its time, even if this machine's clock is wrong.
   */
  learnServerTime(serverTime: number): void {
    this.#offsetMs = serverTime - this.#now();
  }

  /** Returns one EdDSA token, good for one request. */
  async sign(): Promise<string> {
    const key = await importJWK(this.#identity.key, "EdDSA");
    const iat = Math.floor((this.#now() + this.#offsetMs) / 1000);
    return await new SignJWT({})
      .setProtectedHeader({ alg: "EdDSA", typ: "JWT" })
      .setSubject(String(this.#identity.siteId))
      .setAudience(AGENT_TOKEN_AUDIENCE)
      .setIssuedAt(iat)
      .setExpirationTime(iat + TOKEN_AGE_S)
      .setJti(this.#newId())
      .sign(key);
  }
}
