import { importJWK } from "jose";
import type { z } from "zod";
import { type enrollRequestSchema, type enrollResponseSchema } from "shared/agent_protocol.ts";
import type { EdgeContext } from "../context.ts";
import { rowsAs } from "../db/query.ts";
import { sites } from "../db/schema.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";
import { statement } from "../db/statement.ts";
import { readGeneration } from "./generation.ts";
import { hasSmallOrder } from "./small_order.ts";
import { joinRefusal } from "./join_refusal.ts";
import { hashJoinToken } from "./join_token.ts";

export type EnrollRequest = z.infer<typeof enrollRequestSchema>;
export type EnrollResponse = z.infer<typeof enrollResponseSchema>;

// No row = unknown, used, expired, of a revoked site, or the key already belongs to a site.
const USE_TOKEN = `UPDATE join_tokens SET used_at = :now
  WHERE hash = :hash AND used_at IS NULL AND expires_at > :now
    AND EXISTS (SELECT 1 FROM sites WHERE sites.id = join_tokens.site AND revoked = 0)
    AND NOT EXISTS (SELECT 1 FROM sites WHERE public_key = :publicKey)`;
// A site's first machine has no past to report; a later machine answers for its own. The old machine's socket ends.
const SET_KEY = `UPDATE sites SET public_key = :publicKey, epoch = epoch + 1,
    answered_generation = CASE WHEN public_key IS NULL THEN :generation ELSE answered_generation END
  WHERE ${STEP_BEFORE_CHANGED} AND id = (SELECT site FROM join_tokens WHERE hash = :hash)`;
const NOTE = `INSERT INTO activity (at, kind, code, data, site)
  SELECT :now, 'info', 'site_enrolled', json_object('site', name), id FROM sites WHERE public_key = :publicKey
    AND ${STEP_BEFORE_CHANGED}`;
const DROP_OTHERS = `DELETE FROM join_tokens
  WHERE ${STEP_BEFORE_CHANGED} AND used_at IS NULL AND site = (SELECT site FROM join_tokens WHERE hash = :hash)`;
// The same token and key again: the answer was lost, and the machine asks this or another instance again.
const ENROLLED = `SELECT id, name FROM sites
  WHERE public_key = :publicKey AND revoked = 0 AND id = (SELECT site FROM join_tokens WHERE hash = :hash)`;

/**
 * Enrols the bearer of a join token as its site, identified from now on by this key. Of several at once, one wins.
 * The same token and key get the same answer again.
 *
 * @throws HttpError join_token_invalid with the reason; invalid_input when the key is not an Ed25519 point, or a
 *   point under which anybody can sign
 */
export async function enrollSite(ctx: EdgeContext, request: EnrollRequest): Promise<EnrollResponse> {
  if (hasSmallOrder(request.publicKey)) throw new HttpError("invalid_input", { detail: "publicKey" });
  await importJWK({ kty: "OKP", crv: "Ed25519", x: request.publicKey }, "EdDSA").catch((cause) => {
    throw new HttpError("invalid_input", { detail: "publicKey", cause });
  });
  const args = {
    now: ctx.now(),
    hash: await hashJoinToken(request.joinToken),
    publicKey: request.publicKey,
    generation: await readGeneration(ctx),
  };
  const { enrolled } = await writeBatch(ctx.db, {
    tokenUsed: statement(USE_TOKEN, args),
    keySet: rightAfter("tokenUsed", statement(SET_KEY, args)),
    noted: rightAfter("keySet", statement(NOTE, args)),
    othersDropped: rightAfter("noted", statement(DROP_OTHERS, args)),
    enrolled: statement(ENROLLED, args),
  });
  const [site] = rowsAs(enrolled, { siteId: sites.id, siteName: sites.name });
  if (site === undefined) throw await joinRefusal(ctx, args.hash);
  ctx.log.info("site_enrolled", { site: site.siteId });
  return { ...site, serverTime: args.now };
}
